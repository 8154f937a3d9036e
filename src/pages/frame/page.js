// In the browser: the little that HTML doesn't do by itself.

// A button with data-copy selects and copies the text of the named element. It can't use navigator.clipboard:
// pages that come from another machine over HTTP lack it.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button[data-copy]');
  if (button === null) return;
  const { textContent: label, dataset } = button;
  getSelection().selectAllChildren(document.getElementById(dataset.copy));
  button.textContent = document.execCommand('copy') ? 'Copied' : 'Select and copy';
  setTimeout(() => (button.textContent = label), 2000);
});

// After a refused form, the focus goes to the first error.
document.querySelector('main :is([aria-invalid], [role=alert][tabindex])')?.focus();

// The header's menus close on Escape, and on a click outside of them.
const close = (isOutside) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!isOutside(menu)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  }
};
document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(() => true));
document.addEventListener('click', ({ target }) => close((menu) => !menu.contains(target)));

// An empty field of a GET form adds no parameter to the address.
document.addEventListener('formdata', ({ target, formData }) => {
  if (target.method !== 'get') return;
  for (const name of new Set(formData.keys())) if (formData.get(name) === '') formData.delete(name);
});

// If a console's form led to the sign-in page, its text is there again after signing in.
const signsIn = document.querySelector('form[action$="/sign-in/"]') !== null;
const [action, typed = [], isInterrupted] = JSON.parse(store('sessionStorage', 'draft') ?? '[]');
store('sessionStorage', 'draft', signsIn && action ? JSON.stringify([action, typed, true]) : null);
for (const form of isInterrupted && !signsIn ? document.forms : [])
  if (form.action === action)
    for (const [name, value] of typed) {
      const field = form.elements[name];
      if (field !== undefined) field.value = value;
    }
document.addEventListener('submit', ({ target }) => {
  // Other forms aren't kept: the form that chooses a user may hold a token.
  if (signsIn || target.method !== 'post' || !target.action.includes('/_understudy/console/')) return;
  const texts = [...new FormData(target)].filter(([, value]) => typeof value === 'string');
  store('sessionStorage', 'draft', JSON.stringify([target.action, texts]));
});

/** Stores a value; null removes it. Returns what is stored then; without storage, the given value. */
function store(storage, name, value) {
  try {
    if (value === null) window[storage].removeItem(name);
    else if (value !== undefined) window[storage].setItem(name, value);
    return window[storage].getItem(name);
  } catch {
    return value ?? null;
  }
}

// A block that doesn't scroll is no stop for the Tab key.
const seen = new ResizeObserver((entries) => {
  // A hidden block has no width; it may scroll later.
  for (const { target } of entries) {
    const { scrollWidth, clientWidth } = target;
    target.tabIndex = scrollWidth > clientWidth || clientWidth === 0 ? 0 : -1;
  }
});
const watchScrolling = () =>
  document.querySelectorAll('main [role=group][tabindex]').forEach((one) => seen.observe(one));
watchScrolling();

// Requests are shown in the language that was last chosen on any page, or else as curl lines.
const variableIn = (token = '') => /^\$([A-Z_]+)$/.exec(token)?.[1];
const jsonType = 'application/json';
const isJson = ({ body, type = jsonType }) => type === jsonType && parseJson(body) !== undefined;
/** Headers as `"name": expression`. @param readVariable writes code that reads a variable */
function listHeaders({ token, body, type = jsonType }, readVariable, needsType) {
  const name = variableIn(token);
  const value = name === undefined ? JSON.stringify(`Token ${token}`) : readVariable(name);
  const [ofToken, ofBody] = [`"Authorization": ${value}`, `"Content-Type": ${JSON.stringify(type)}`];
  return [token !== undefined && ofToken, body !== undefined && needsType && ofBody].filter(Boolean);
}
const languages = {
  curl: ({ line }) => line,
  Python(request) {
    const { method, url, token, body } = request;
    const words = { null: 'None', true: 'True', false: 'False' };
    const headers = listHeaders(request, (name) => `"Token " + os.environ["${name}"]`, !isJson(request));
    const json = body?.replace(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (part) => words[part] ?? part);
    const given = [
      JSON.stringify(method),
      JSON.stringify(url),
      headers.length > 0 && `headers={${headers.join(', ')}}`,
      body !== undefined && (isJson(request) ? `json=${json}` : `data=${JSON.stringify(body)}.encode()`),
    ].filter(Boolean);
    const imports = variableIn(token) ? 'import os\n\nimport requests' : 'import requests';
    const call = `requests.request(\n    ${given.join(',\n    ')},\n)`;
    return `${imports}\n\nresponse = ${call}\nprint(response.status_code, response.text)`;
  },
  JavaScript(request) {
    const { method, url, body } = request;
    const headers = listHeaders(request, (name) => `\`Token \${process.env.${name}}\``, true);
    const given = [
      `method: ${JSON.stringify(method)}`,
      headers.length > 0 && `headers: { ${headers.join(', ')} }`,
      body !== undefined && `body: ${isJson(request) ? `JSON.stringify(${body})` : JSON.stringify(body)}`,
    ].filter(Boolean);
    const call = `fetch(${JSON.stringify(url)}, {\n  ${given.join(',\n  ')},\n})`;
    return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
  },
};

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows the requests in the chosen language. To be called after each change of the page. */
function showRequests(chosen) {
  const known = store('localStorage', 'language', chosen);
  const language = Object.hasOwn(languages, known ?? '') ? known : 'curl';
  for (const block of document.querySelectorAll('[data-request]')) {
    const code = block.querySelector('code');
    block.request ??= { ...JSON.parse(block.dataset.request), line: code.textContent };
    code.textContent = languages[language](block.request);
    const select = block.querySelector('select') ?? document.createElement('select');
    select.ariaLabel = 'Language';
    const names = Object.keys(languages);
    select.replaceChildren(...names.map((name) => new Option(name, name, false, name === language)));
    block.querySelector('button').before(select);
  }
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-request] select')) showRequests(target.value);
});
showRequests();
