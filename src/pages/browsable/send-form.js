// In the browser: makes JSON bodies from a form's fields, and curl lines from bodies. Sends bodies as shown.

const bodiesOf = (form) => [...form.querySelectorAll('textarea.json')];
const fieldsOf = (form) => [...form.querySelectorAll('[data-key]')];

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form.send');
  if (form === null || !target.matches('[data-key], textarea.json')) return;
  // An edited body no longer follows the fields, which are inert until a reset.
  if (target.dataset.key === undefined) setInert(form, true);
  else writeBodies(form);
  writeCurls(form);
});

document.addEventListener('reset', ({ target: form }) => {
  if (!form.matches('form.send')) return;
  setInert(form, false);
  // The event comes before the bodies are reset.
  setTimeout(() => writeCurls(form));
});

const setInert = (form, isInert) => form.querySelector('.fields')?.toggleAttribute('inert', isInert);

/** Writes each body: its initial text with changed fields. */
function writeBodies(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  const jsonOf = (field) => JSON.stringify(valueOf(field));
  const isChanged = (field) => jsonOf(field) !== jsonOf(twinOf(copy, field));
  const changed = fieldsOf(form).filter(isChanged);
  for (const text of bodiesOf(form)) {
    const begun = parseJson(text.defaultValue);
    const body = isObject(begun) ? begun : {};
    for (const field of changed) put(body, field.dataset.key.split('.'), valueOf(field));
    text.value = JSON.stringify(body, null, 2);
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function put(body, [key, ...rest], value) {
  if (rest.length === 0) body[key] = value;
  else put(isObject(body[key]) ? body[key] : (body[key] = {}), rest, value);
}

const twinOf = (form, { dataset: { key } }) => form.querySelector(`[data-key="${key}"]`);

/** Undefined for a field that isn't sent. */
function valueOf({ type, checked, value, dataset }) {
  if (type === 'checkbox') return checked;
  if (type === 'select-one') return parseJson(value);
  if (value === '' && dataset.null !== undefined) return null;
  if (dataset.kind === 'number' && /^-?(0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  return dataset.kind === 'json' ? (parseJson(value) ?? value) : value;
}

/** A curl line ends with its body, in single quotes. */
function writeCurls(form) {
  for (const text of bodiesOf(form)) {
    const { request } = text.closest('.one-request').querySelector('[data-request]') ?? {};
    if (request === undefined) continue;
    const [start] = request.line.split('--data-raw ', 1);
    request.line = `${start}--data-raw '${text.value.replaceAll("'", `'\\''`)}'`;
    request.body = text.value;
  }
  showRequests();
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!form.matches('form.send')) return;
  event.preventDefault();
  void send(form, submitter);
});

/** The answer's page replaces this page. */
async function send(form, button) {
  const { method } = button.dataset;
  const body = button.closest('.one-request').querySelector('textarea.json')?.value;
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.textContent = '';
  try {
    const isKept = await keep(button);
    const response = await fetch(form.getAttribute('action'), {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), Accept: 'text/html' },
      body,
    });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    const page = new DOMParser().parseFromString(isPage ? text : '', 'text/html');
    const main = page.getElementById('main');
    // An answer that is no page, such as a 503 under load, can't replace this page.
    if (main === null) outcome.textContent = `${response.status} ${response.statusText}: ${text.slice(0, 2000)}`;
    else {
      if (!isKept) main.querySelector('.undo')?.remove();
      nameEntry(main, response.headers.get('x-understudy-entry'));
      if (!response.ok) keepForms(form, main);
      showPage(page.title, main);
    }
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}.`;
  }
  button.disabled = false;
}

/** Asks the console to keep the sandbox's content for an undo. A redirect means success. */
async function keep({ dataset: { before } }) {
  if (before === undefined) return false;
  const { type } = await fetch(before, { method: 'POST', redirect: 'manual' });
  return type === 'opaqueredirect';
}

/** Adds the journal entry's id, unknown when the page was made, to links and forms. */
function nameEntry(main, id) {
  if (id === null) return;
  for (const link of main.querySelectorAll('a.recorded')) link.href += `${id}/`;
  for (const next of main.querySelectorAll('.notice [name=next]')) next.value += `?understudy_entry=${id}`;
}

/** After a refusal, the page keeps its forms, with the errors at the fields. */
function keepForms(form, main) {
  const answered = main.querySelector('form.send');
  if (answered === null) return;
  const forms = form.closest('.forms');
  // If the body was edited, only the answer's form shows the body's values.
  const isEdited = form.querySelector('.fields[inert]') !== null;
  if (isEdited) form.parentElement.replaceWith(answered.parentElement);
  else showErrors(form, answered);
  main.querySelector('.forms').replaceWith(forms);
}

function showErrors(form, answered) {
  form.querySelector('.of-form')?.remove();
  form.prepend(...answered.querySelectorAll('.of-form'));
  for (const field of fieldsOf(form)) {
    const twin = twinOf(answered, field);
    field.ariaInvalid = twin.ariaInvalid;
    field.setAttribute('aria-describedby', twin.getAttribute('aria-describedby') ?? '');
    field.parentElement.querySelector('.wrong')?.remove();
    field.before(...twin.parentElement.querySelectorAll('.wrong'));
    if (twin.ariaInvalid) field.closest('.group')?.setAttribute('open', '');
  }
}

function showPage(title, main) {
  document.title = title;
  document.getElementById('main').replaceWith(main);
  showRequests();
  watchScrolling();
  // The focus goes to an error, else to the notice.
  const targets = ['[aria-invalid]', '.of-form', '.notice'].map((each) => main.querySelector(each));
  targets.find((each) => each !== null)?.focus();
}
