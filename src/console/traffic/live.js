// In the browser: says whether a journal is live, and keeps its list short. htmx reads the stream.
const live = document.getElementById('live');
const state = document.getElementById('live-state');
const rows = document.getElementById('requests');

/** Rows beyond these go, unless they are in view; beyond the second number they all go. */
const [most, mostInView] = [200, 1000];

const mayReturn = new Set([408, 429, 500, 502, 503, 504]);
let isOver = false;

function say(text, name) {
  live.dataset.state = name;
  if (state.textContent !== text) state.textContent = text;
}

function end(why) {
  isOver = true;
  say(why, 'over');
}

// htmx connects at this event, unless it is connected. A window that is hidden has no stream: htmx closes it, and here
// none is opened.
function watch() {
  if (!document.hidden && !isOver) live.dispatchEvent(new Event('watch'));
}
document.addEventListener('visibilitychange', watch);

const attributes = {
  'hx-sse:connect': live.dataset.stream,
  'hx-sse:close': 'over',
  'hx-trigger': 'watch',
  'hx-status:4xx': 'swap:none',
  'hx-status:5xx': 'swap:none',
};

// Only now: htmx may have read the page before its extension was loaded, or not yet.
addEventListener('load', () =>
  setTimeout(() => {
    for (const [name, value] of Object.entries(attributes)) live.setAttribute(name, value);
    htmx.process(live);
    watch();
  }),
);

function noteRefusal(status) {
  if (status === 401 || status === 403) end('Not live: you are signed out. Reload the page.');
  else if (status !== undefined && !mayReturn.has(status)) end('Not live: the sandbox is gone. Reload the page.');
  else say('Not live: the service doesn’t answer. Connecting again …', 'waits');
}

live.addEventListener('htmx:sse:after:connection', () => say('Live', 'live'));
live.addEventListener('htmx:sse:before:connection', ({ detail }) => {
  detail.connection.cancelled = isOver;
});
live.addEventListener('htmx:sse:error', ({ detail }) => noteRefusal(detail.status));
live.addEventListener('htmx:sse:close', () => {
  if (!isOver) say('Not live. Connecting again …', 'waits');
});
live.addEventListener('over', ({ detail }) => end(`Not live. ${detail.data} Reload the page.`));

// The first connection failed; htmx repeats only later ones.
live.addEventListener('htmx:response:error', ({ detail }) => {
  const { status, headers } = detail.ctx.response;
  noteRefusal(status);
  if (status === 503) say('Not live: too many windows watch. Connecting again …', 'waits');
  setTimeout(watch, 1000 * Math.max(5, Number(headers.get('retry-after'))));
});
live.addEventListener('htmx:error', () => {
  noteRefusal();
  setTimeout(watch, 5000);
});

live.addEventListener('htmx:sse:after:message', () => {
  for (let last = rows.lastElementChild; rows.childElementCount > most; last = rows.lastElementChild) {
    const isRead = last.getBoundingClientRect().top < innerHeight || last.contains(document.activeElement);
    if (isRead && rows.childElementCount <= mostInView) break;
    last.remove();
  }
});
