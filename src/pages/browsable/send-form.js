// In the browser: the fields of a form write its JSON body, the body its curl line, and the body is sent as it is.

const bodyOf = (form) => form.querySelector('textarea.json');
const fieldsOf = (form) => form.querySelectorAll('[data-key]');

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form.send');
  if (form === null) return;
  if (target.dataset.key !== undefined) writeBody(form, target);
  else readBody(form);
  writeCurl(form);
});

document.addEventListener('reset', ({ target: form }) => {
  // The fields have their first values only after the event.
  if (form.matches('form.send')) setTimeout(() => writeCurl(form));
});

/** Puts the field's value into the body. What else stands in the body stays, even if no field has it. */
function writeBody(form, field) {
  const text = bodyOf(form);
  const first = parseObject(text.defaultValue) ?? {};
  const body = parseObject(text.value) ?? structuredClone(first);
  const path = field.dataset.key.split('.');
  const value = valueOf(field);
  // With its first value again it is sent only if it was from the start.
  const isFirst = JSON.stringify(value) === JSON.stringify(valueOf(asAtFirst(field)));
  put(body, path, isFirst && valueAt(first, path) === undefined ? undefined : value);
  text.value = JSON.stringify(body, null, 2);
}

/** Shows the values of the body in the fields; those that it lacks have their first ones. */
function readBody(form) {
  const body = parseObject(bodyOf(form).value);
  if (body === undefined) return;
  for (const field of fieldsOf(form)) {
    const value = valueAt(body, field.dataset.key.split('.'));
    show(field, value === undefined ? valueOf(asAtFirst(field)) : value);
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(body, [key, ...rest]) {
  if (!isObject(body) || !Object.hasOwn(body, key)) return undefined;
  return rest.length === 0 ? body[key] : valueAt(body[key], rest);
}

/** Undefined takes the value away, and the objects around it that hold nothing else. */
function put(body, [key, ...rest], value) {
  if (rest.length === 0) body[key] = value;
  else {
    if (!isObject(body[key])) body[key] = {};
    put(body[key], rest, value);
    if (Object.keys(body[key]).length === 0) delete body[key];
  }
  if (body[key] === undefined) delete body[key];
}

/** The field with its first value, in a copy of its form. */
function asAtFirst(field) {
  const form = field.form.cloneNode(true);
  form.reset();
  return form.querySelector(`[data-key="${field.dataset.key}"]`);
}

/** Undefined for what isn't sent. */
function valueOf(field) {
  if (field.type === 'checkbox') return field.checked;
  const { value } = field;
  if (field.matches('select')) return value === '' ? undefined : JSON.parse(value);
  if (value === '' && field.dataset.null !== undefined) return null;
  if (field.dataset.kind === 'number' && /^-?(0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  return field.dataset.kind === 'json' ? (parse(value) ?? value) : value;
}

function show(field, value) {
  if (field.type === 'checkbox') field.checked = value === true;
  else if (field.matches('select')) field.value = value === undefined ? '' : JSON.stringify(value);
  else if (value === null || value === undefined) field.value = '';
  else field.value = typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** The line ends with the body, in single quotes. */
function writeCurl(form) {
  const line = form.querySelector('.copy code');
  const start = (line.dataset.start ??= line.textContent.slice(0, line.textContent.indexOf('--data-raw ')));
  line.textContent = `${start}--data-raw '${bodyOf(form).value.replaceAll("'", `'\\''`)}'`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseObject(text) {
  const value = parse(text);
  return isObject(value) ? value : undefined;
}

document.addEventListener('submit', (event) => {
  const { target: form } = event;
  if (!form.matches('form.send')) return;
  event.preventDefault();
  void send(form);
});

/** The answer's page takes this one's place. */
async function send(form) {
  const { method, headers } = form.dataset;
  const button = form.querySelector('[type=submit]');
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.textContent = '';
  try {
    const response = await fetch(form.getAttribute('action'), {
      method,
      headers: { ...JSON.parse(headers), Accept: 'text/html' },
      body: bodyOf(form)?.value,
    });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    const page = isPage ? new DOMParser().parseFromString(text, 'text/html') : undefined;
    const main = page?.getElementById('main');
    // An answer that is no page of ours, such as one of a fault rule, has nothing to show in this one's place.
    if (!main) outcome.textContent = `${response.status} ${response.statusText}: ${text.slice(0, 2000)}`;
    else showPage(page.title, main);
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}.`;
  }
  button.disabled = false;
}

function showPage(title, main) {
  document.title = title;
  document.getElementById('main').replaceWith(main);
  main.querySelector('[autofocus]')?.focus();
}
