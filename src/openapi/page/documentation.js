// In the browser: shows the page's document by Swagger UI, and sends what is tried with the chosen token. The token
// stays in this page: it is stored nowhere.
'use strict';

const place = document.getElementById('operations');
const { scheme, prefix } = place.dataset;
const token = document.getElementById('token');
const user = document.getElementById('user');

const ui = SwaggerUIBundle({
  domNode: place,
  spec: JSON.parse(document.getElementById('document').textContent),
  layout: 'OperationsAlone',
  plugins: [adapt],
  deepLinking: true,
  tryItOutEnabled: true,
  syntaxHighlight: { activated: false },
  // It would ask a service elsewhere.
  validatorUrl: null,
  // Requests carry the token that stands in the page, and no cookie.
  requestInterceptor: (request) => ({ ...request, credentials: 'omit' }),
  onComplete: authorize,
});

let isAuthorized = false;

function authorize() {
  const value = token.value.trim();
  if (value !== '') ui.preauthorizeApiKey(scheme, prefix + value);
  else if (isAuthorized) ui.authActions.logout([scheme]);
  isAuthorized = value !== '';
}

token.addEventListener('input', () => {
  const known = user && [...user.options].some(({ value }) => value === token.value.trim());
  if (user) user.value = known ? token.value.trim() : 'other';
  authorize();
});

user?.addEventListener('change', () => {
  token.value = user.value === 'other' ? '' : user.value;
  if (user.value === 'other') token.focus();
  authorize();
});

/** Leaves out what the page has itself, folds long parts, and names what a screen reader would find nameless. */
function adapt({ React }) {
  const element = React.createElement;
  const nothing = () => null;
  return {
    components: {
      authorizeOperationBtn: nothing,
      // Each operation can be tried at once.
      TryItOutButton: nothing,
      // A link within the button that opens the operation. The address follows that button too.
      DeepLink: ({ text }) => element('span', null, text),
      OperationsAlone: ({ getComponent }) => element(getComponent('operations', true)),
    },
    wrapComponents: {
      TextArea: (Original) => (props) => element(Original, { 'aria-label': 'Request body', ...props }),
      // A dozen errors are documented for each operation.
      response: (Original) =>
        function Response(props) {
          const [isOpen, setOpen] = React.useState(Number(props.code) < 400);
          if (isOpen) return element(Original, props);
          const open = element(
            'button',
            { type: 'button', 'aria-expanded': false, onClick: () => setOpen(true) },
            props.response.get('description'),
          );
          return element(
            'tr',
            { className: 'response' },
            element('td', { className: 'response-col_status' }, props.code),
            element('td', { className: 'response-col_description' }, open),
          );
        },
    },
    statePlugins: {
      // Its own takes an underscore, which our operations' ids have, for an outdated address, and logs an error.
      layout: {
        wrapActions: {
          parseDeepLinkHash:
            (_, { layoutActions, layoutSelectors }) =>
            (hash) => {
              if (!hash.startsWith('#/')) return;
              const shown = layoutSelectors.isShownKeyFromUrlHashArray(hash.slice(2).split('/'));
              layoutActions.show(shown, true);
              layoutActions.scrollTo(shown);
            },
        },
      },
    },
  };
}
