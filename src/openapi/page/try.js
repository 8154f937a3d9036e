// In the browser: sends what the forms of the page say, to this service alone, and shows the answer. What comes back is
// text and never markup.
const docs = document.querySelector('.docs');
docs.classList.add('can-try');

for (const form of docs.querySelectorAll('form.try'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });
docs.querySelector('.who-asks')?.addEventListener('submit', (event) => event.preventDefault());

async function tryIt(form) {
  const button = form.querySelector('button');
  const output = form.querySelector('output');
  button.disabled = true;
  try {
    const response = await fetch(addressOf(form), requestOf(form));
    show(output, response, await response.text());
  } catch (error) {
    output.className = 'answer fails';
    output.replaceChildren(element('p', 'status', 'No answer'), element('pre', 'body', String(error)));
  } finally {
    button.disabled = false;
  }
}

function inputsIn(form, place) {
  return [...form.querySelectorAll(`[data-in="${place}"]`)].filter(({ value }) => value !== '');
}

function addressOf(form) {
  const path = inputsIn(form, 'path').reduce(
    (address, { name, value }) => address.replace(`{${name}}`, () => encodeURIComponent(value)),
    form.dataset.path,
  );
  const query = new URLSearchParams(inputsIn(form, 'query').map(({ name, value }) => [name, value])).toString();
  return query === '' ? path : `${path}?${query}`;
}

function requestOf(form) {
  const token = document.querySelector('#token')?.value.trim();
  const body = form.querySelector('[data-in="body"]');
  return {
    method: form.dataset.method,
    headers: {
      Accept: 'application/json',
      ...Object.fromEntries(inputsIn(form, 'header').map(({ name, value }) => [name, value])),
      ...(token ? { Authorization: `Token ${token}` } : {}),
      ...(body === null ? {} : { 'Content-Type': form.dataset.type ?? 'application/json' }),
    },
    ...(body === null ? {} : { body: body.value }),
    // The token that stands in the page is the only one meant.
    credentials: 'omit',
    cache: 'no-store',
  };
}

function show(output, response, text) {
  const { status, statusText, headers } = response;
  output.className = `answer ${status < 400 ? 'succeeds' : status < 500 ? 'refuses' : 'fails'}`;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  output.replaceChildren(
    element('p', 'status', `${status} ${statusText}`),
    element('pre', 'headers', lines),
    text === '' ? element('p', 'nothing', 'No body.') : element('pre', 'body', readable(text)),
  );
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
