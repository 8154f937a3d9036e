// In the browser: the fields of a form write its JSON body, the body its curl line, and htmx sends the body as it is.

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

const asAtFirst = (field) => {
  // A copy has the first value again, but not of a select's options.
  const copy = field.cloneNode(true);
  if (copy.matches('select'))
    copy.selectedIndex = Math.max(
      0,
      [...copy.options].findIndex((option) => option.defaultSelected),
    );
  else if (copy.type === 'checkbox') copy.checked = copy.defaultChecked;
  else copy.value = copy.defaultValue;
  return copy;
};

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

// htmx would send the fields of the form, and for DELETE none at all.
document.addEventListener('htmx:before:request', ({ target, detail: { ctx } }) => {
  if (!target.matches('form.send')) return;
  ctx.request.body = bodyOf(target)?.value ?? null;
  target.querySelector('.outcome').textContent = '';
});

// An answer that is no page, such as one of a fault rule, has nothing to show in this one's place.
document.addEventListener('htmx:after:request', (event) => {
  const {
    target: form,
    detail: { ctx },
  } = event;
  const { raw, status } = ctx.response;
  if (!form.matches('form.send') || raw.headers.get('content-type')?.startsWith('text/html')) return;
  event.preventDefault();
  form.querySelector('.outcome').textContent = `${status} ${raw.statusText}: ${ctx.text.slice(0, 2000)}`;
});

document.addEventListener('htmx:error', ({ target: form, detail: { error } }) => {
  if (form.matches('form.send'))
    form.querySelector('.outcome').textContent = `No answer: ${error?.message ?? 'the request failed'}.`;
});
