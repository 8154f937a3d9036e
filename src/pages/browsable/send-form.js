// In the browser: the fields of a form write the JSON bodies of its requests, each body its curl line, and a body is sent
// as it is.

const bodiesOf = (form) => [...form.querySelectorAll('textarea.json')];
const fieldsOf = (form) => [...form.querySelectorAll('[data-key]')];

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form.send');
  if (form === null) return;
  const first = asAtFirst(form);
  const isField = target.dataset.key !== undefined;
  if (!isField) readBody(form, target, first);
  const changed = isField ? [target] : fieldsOf(form);
  for (const text of bodiesOf(form).filter((one) => one !== target)) writeBody(text, changed, first);
  writeCurls(form);
});

document.addEventListener('reset', ({ target: form }) => {
  // The fields have their first values only after the event.
  if (form.matches('form.send')) setTimeout(() => writeCurls(form));
});

/** Puts the values of fields into the body. What else stands in the body stays, even if no field has it. */
function writeBody(text, fields, first) {
  const begun = parseObject(text.defaultValue) ?? {};
  const body = parseObject(text.value) ?? structuredClone(begun);
  for (const field of fields) {
    const path = field.dataset.key.split('.');
    const value = valueOf(field);
    // With its first value again it is sent only if it was from the start.
    const isFirst = JSON.stringify(value) === JSON.stringify(valueOf(first(field)));
    put(body, path, isFirst ? valueAt(begun, path) : value);
  }
  text.value = JSON.stringify(body, null, 2);
}

/** Shows the values of the body in the fields; those that it lacks have their first ones. */
function readBody(form, text, first) {
  const body = parseObject(text.value);
  if (body === undefined) return;
  for (const field of fieldsOf(form)) {
    const value = valueAt(body, field.dataset.key.split('.'));
    show(field, value === undefined ? valueOf(first(field)) : value);
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
  else if (value !== undefined || isObject(body[key])) {
    if (!isObject(body[key])) body[key] = {};
    put(body[key], rest, value);
    if (Object.keys(body[key]).length === 0) delete body[key];
  }
  if (body[key] === undefined) delete body[key];
}

const twinOf = (form, { dataset: { key } }) => form.querySelector(`[data-key="${key}"]`);

/** Finds a field with its first value, in a copy of its form. */
function asAtFirst(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return (field) => twinOf(copy, field);
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

/** Each line ends with its body, in single quotes. */
function writeCurls(form) {
  for (const text of bodiesOf(form)) {
    const line = text.closest('.one-request').querySelector('.copy code');
    const start = (line.dataset.start ??= line.textContent.slice(0, line.textContent.indexOf('--data-raw ')));
    line.textContent = `${start}--data-raw '${text.value.replaceAll("'", `'\\''`)}'`;
  }
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
  const { target: form, submitter } = event;
  if (!form.matches('form.send')) return;
  event.preventDefault();
  void send(form, submitter);
});

/** The answer's page takes this one's place. */
async function send(form, button) {
  const { method } = button.dataset;
  const body = button.closest('.one-request').querySelector('textarea.json')?.value;
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.textContent = '';
  try {
    const response = await fetch(form.getAttribute('action'), {
      method,
      headers: {
        ...JSON.parse(form.dataset.headers),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        Accept: 'text/html',
      },
      body,
    });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    const page = isPage ? new DOMParser().parseFromString(text, 'text/html') : undefined;
    const main = page?.getElementById('main');
    // An answer that is no page of ours, such as one of a fault rule, has nothing to show in this one's place.
    if (!main) outcome.textContent = `${response.status} ${response.statusText}: ${text.slice(0, 2000)}`;
    else {
      nameEntry(main, response.headers.get('x-understudy-entry'));
      if (!response.ok) keepForms(form, main);
      showPage(page.title, main);
    }
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}.`;
  }
  button.disabled = false;
}

/** The journal numbers a request only once its page is made. Another user’s page begins with what was sent. */
function nameEntry(main, id) {
  if (id === null) return;
  for (const link of main.querySelectorAll('a.recorded')) link.href += `${id}/`;
  for (const next of main.querySelectorAll('.notice [name=next]')) next.value += `?understudy_entry=${id}`;
}

/** After a refusal the page has the forms that it had, as they are, with what is wrong at the fields. */
function keepForms(form, main) {
  const answered = main.querySelector('form.send');
  if (answered === null) return;
  form.querySelector('.of-form')?.remove();
  const ofForm = answered.querySelector('.of-form');
  if (ofForm !== null) form.prepend(ofForm);
  for (const field of fieldsOf(form)) {
    const twin = twinOf(answered, field);
    for (const name of ['aria-invalid', 'aria-describedby', 'autofocus'])
      if (twin?.hasAttribute(name)) field.setAttribute(name, twin.getAttribute(name));
      else field.removeAttribute(name);
    field.parentElement.querySelector('.wrong')?.remove();
    const wrong = twin?.parentElement.querySelector('.wrong');
    if (wrong) field.after(wrong);
    if (wrong && field.closest('.group')) field.closest('.group').open = true;
  }
  main.querySelector('.forms').replaceWith(form.closest('.forms'));
}

function showPage(title, main) {
  document.title = title;
  document.getElementById('main').replaceWith(main);
  main.querySelector('[autofocus]')?.focus();
}
