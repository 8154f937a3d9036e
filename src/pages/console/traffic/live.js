// In the browser: a journal's page reads itself again every two seconds while it is visible, and replaces what changed.
const live = document.getElementById('live');
const state = document.getElementById('live-state');
const rows = document.getElementById('requests');
const empty = document.querySelector('.empty');
let emptyText = empty.innerHTML;
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
  const { status, ok } = response;
  if (status === 401 || status === 403) return end('Not live: you are signed out. Reload the page.');
  if (status === 404) return end('Not live: the sandbox was deleted. Reload the page.');
  if (!ok) throw new Error(`${status}`);
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const freshRows = fresh.getElementById('requests');
  // Such as that of a service that was restarted without a journal.
  if (freshRows === null) return end('Not live: the page is another one now. Reload it.');
  replaceRows([...freshRows.children]);
  const freshEmpty = fresh.querySelector('.empty');
  if (freshEmpty.innerHTML !== emptyText) {
    emptyText = freshEmpty.innerHTML;
    empty.replaceChildren(...freshEmpty.childNodes);
  }
  say('Live', 'live');
}

/** A row that stays is not touched, so that it keeps the focus, a selection and its place in the window. */
function replaceRows(fresh) {
  const wanted = new Set(fresh.map((row) => row.outerHTML));
  for (const row of rows.querySelectorAll('tr')) if (!wanted.has(row.outerHTML)) row.remove();
  let next = rows.firstElementChild;
  for (const row of fresh) {
    if (next?.outerHTML === row.outerHTML) next = next.nextElementSibling;
    else rows.insertBefore(row, next);
  }
}

function say(text, name) {
  live.dataset.state = name;
  // Screen readers read it out whenever it is set.
  if (state.textContent !== text) state.textContent = text;
}

function end(text) {
  clearInterval(timer);
  document.removeEventListener('visibilitychange', read);
  say(text, 'over');
}
