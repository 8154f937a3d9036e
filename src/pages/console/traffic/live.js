// In the browser: while the journal's page is visible, loads it every two seconds and replaces what changed.
const live = document.getElementById('live');
const state = document.getElementById('live-state');
let isReading = false;

const timer = setInterval(read, 2000);
document.addEventListener('visibilitychange', read);
read();

function read() {
  if (isReading || document.visibilityState !== 'visible') return;
  isReading = true;
  update()
    .catch(() => say('Not live: the service doesn’t answer. Trying again …', 'waits'))
    .finally(() => (isReading = false));
}

async function update() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(10_000) });
  if (response.status >= 500) throw new Error(`${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // The session ended, or the service restarted without a journal.
  if (page.getElementById('requests') === null) {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', read);
    return say('Not live: this page has changed. Reload it.', 'over');
  }
  for (const id of ['requests', 'notes']) {
    const fresh = [...page.getElementById(id).children];
    replace(document.getElementById(id), fresh);
  }
  say('Live', 'live');
}

/** Rows that stay aren't touched: they keep the focus, a selection and their place. */
function replace(part, fresh) {
  const wanted = new Set(fresh.map((row) => row.outerHTML));
  for (const row of part.querySelectorAll(':scope > *')) if (!wanted.has(row.outerHTML)) row.remove();
  let next = part.firstElementChild;
  for (const row of fresh) {
    if (next?.outerHTML === row.outerHTML) next = next.nextElementSibling;
    else part.insertBefore(row, next);
  }
}

function say(text, name) {
  live.dataset.state = name;
  // Screen readers read a text whenever it is set, even the same text.
  if (state.textContent !== text) state.textContent = text;
}
