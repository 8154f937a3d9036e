// In the browser: Swagger UI shows the page's document in the page's colour scheme. It sends the user's
// token, and doesn't store it.
'use strict';

const place = document.getElementById('operations');
const { token } = place.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followScheme();
dark.addEventListener('change', followScheme);

const ui = SwaggerUIBundle({
  domNode: place,
  spec: JSON.parse(document.getElementById('document').textContent),
  layout: 'Parts',
  plugins: [partsAlone],
  deepLinking: true,
  tryItOutEnabled: true,
  syntaxHighlight: { activated: false },
  // The default validator is a service elsewhere.
  validatorUrl: null,
  // Requests carry the page's token and no cookie.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  onComplete: () => {
    if (token) ui.preauthorizeApiKey('Token', `Token ${token}`);
  },
});

/** Swagger UI's own layout would nest a second `main`, and offer a choice of one server. */
function partsAlone({ React: { createElement } }) {
  const parts = ['InfoContainer', 'AuthorizeBtnContainer', 'operations'];
  const Parts = ({ getComponent }) =>
    createElement('div', { className: 'swagger-ui' }, ...parts.map((name) => createElement(getComponent(name, true))));
  return { components: { Parts } };
}
