// The one catalogue of errors: status, code and text, as in docs/reference/errors.md.
// Weblate's own texts are as recorded.

type ErrorType = 'client_error' | 'validation_error' | 'server_error';

/** The code of a status, for errors that name no code. */
const codes: Readonly<Record<number, string>> = {
  400: 'parse_error',
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  413: 'request_too_large',
  415: 'unsupported_media_type',
  429: 'throttled',
  431: 'request_header_fields_too_large',
  503: 'service_unavailable',
};

/** @param detail `{}` stands for the part that differs */
const entry = (status: number, detail: string, code = codes[status] ?? 'error') => ({ status, code, detail });

// Sorted by status.
// In the Weblate API, an error with only a status gets the first entry that has the status.
export const catalogue = {
  client_request_malformed: entry(400, 'Malformed request.', 'bad_request'),
  charset_unsupported: entry(400, 'Unsupported charset "{}" in request Content-Type header.'),
  invalid_host: entry(400, 'Invalid Host header.', 'bad_request'),
  json_invalid: entry(400, 'JSON parse error - {}'),
  multipart_invalid: entry(400, 'Multipart form parse error - {}'),
  too_many_fields: entry(400, 'The form has more than {} fields.'),
  yaml_invalid: entry(400, 'YAML parse error - {}'),
  invalid_token: entry(401, 'Invalid token.'),
  invalid_token_header_empty: entry(401, 'Invalid token header. No credentials provided.'),
  invalid_token_header_spaces: entry(401, 'Invalid token header. Token string should not contain spaces.'),
  not_authenticated: entry(401, 'Authentication credentials were not provided.', 'not_authenticated'),
  unsupported_scheme: entry(401, 'Unsupported authentication scheme. Use Token or Bearer.'),
  user_inactive: entry(401, 'User inactive or deleted.'),
  permission_denied: entry(403, 'Can not manage Users'),
  action_denied: entry(403, 'You do not have permission to perform this action.'),
  groups_denied: entry(403, 'Can not manage groups'),
  admin_closed: entry(403, 'This part of Understudy is closed: {}'),
  form_rejected: entry(403, 'Only a page of this service may send this: the browser named another origin, or none.'),
  internal_user: entry(403, 'This user can not be edited.'),
  resource_read_only: entry(403, 'Can not {}'),
  not_found: entry(404, 'Not found.'),
  fault_not_found: entry(404, 'The sandbox has no fault rule with the key "{}".'),
  invalid_page: entry(404, 'Invalid page.'),
  sandbox_not_found: entry(404, 'No sandbox is named "{}".'),
  sandbox_source_unknown: entry(404, 'No shipped seed or sandbox is named {}'),
  snapshot_not_found: entry(404, 'The sandbox has no snapshot "{}".'),
  token_not_found: entry(404, 'The sandbox has no token "{}".'),
  user_not_found: entry(404, 'The sandbox has no user "{}".'),
  method_not_allowed: entry(405, 'Method "{}" not allowed.'),
  not_acceptable: entry(406, 'Could not satisfy the request Accept header.'),
  request_timeout: entry(408, 'The request took too long to arrive.'),
  conflict: entry(409, 'Conflict.'),
  clock_limit: entry(409, 'The clock would pass the year 9999.'),
  faults_cleared: entry(409, 'The sandbox or its rules were reset, replaced or deleted while the new rules were read.'),
  faults_limit: entry(409, 'Fault rules are limited to {}.'),
  journal_emptied: entry(409, 'The journal was emptied during the wait.'),
  journal_off: entry(409, 'The service keeps no journal: UNDERSTUDY_JOURNAL_BYTES is 0.'),
  nothing_to_undo: entry(409, 'There is nothing to undo in the sandbox "{}".'),
  sandbox_limit: entry(409, 'There are already {} sandboxes, the limit set by UNDERSTUDY_MAX_SANDBOXES.'),
  sandbox_permanent: entry(409, `The sandbox "default" can't be deleted; reset it instead.`),
  sandbox_without_baseline: entry(409, 'The sandbox "{}" has no baseline to reset to: no complete seed filled it.'),
  snapshot_limit: entry(409, 'A sandbox has at most {} snapshots.'),
  token_limit: entry(409, 'At most {} tokens can be created for a sandbox. Revoke one that is not needed.'),
  body_too_large: entry(413, 'Request body exceeds the limit of {} bytes.'),
  upload_too_large: entry(
    413,
    'Request body exceeds the limit of {} bytes. UNDERSTUDY_ADMIN_BODY_LIMIT raises it; the seed command has no limit.',
  ),
  unsupported_media_type: entry(415, 'Unsupported media type "{}" in request.'),
  unsupported_admin_type: entry(415, 'The Content-Type must be application/json or application/yaml, not "{}".'),
  throttled: entry(429, 'Request was throttled. Expected available in {} seconds.'),
  headers_too_large: entry(431, 'Request header fields exceed the limit.'),
  server_error: entry(500, 'Server Error (500)'),
  service_unavailable: entry(503, 'Service temporarily unavailable: {}.'),
  at_once_limit: entry(503, 'There are too many {}. Retry when one has ended.'),
  export_limit: entry(503, 'Too many exports wait. Retry when one has finished.'),
  reading_limit: entry(503, 'Too many large texts wait to be read. Retry when one has been read.'),
} as const;

export type ErrorName = keyof typeof catalogue;

/** @param attr the field, or null if none is to blame */
export const errorLine = (attr: string | null, code: string, detail: string) => ({ code, detail, attr });

export type ErrorLine = Readonly<ReturnType<typeof errorLine>>;

/** A request's error. Hooks and handlers throw it; the error handler sends it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: ErrorType;
  readonly lines: readonly ErrorLine[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    lines: readonly ErrorLine[],
    headers: Readonly<Record<string, string>> = {},
    type: ErrorType = status < 500 ? 'client_error' : 'server_error',
  ) {
    super(lines.map((line) => line.detail).join(' '));
    this.status = status;
    this.type = type;
    this.lines = lines;
    this.headers = headers;
  }

  toJSON() {
    return { type: this.type, errors: this.lines };
  }
}

const headersOf: Readonly<Partial<Record<number | ErrorName, Record<string, string>>>> = {
  401: { 'www-authenticate': 'Token' },
  503: { 'retry-after': '1' },
  sandbox_not_found: {
    'x-understudy-hint':
      'Create it by PUT /_understudy/sandboxes/NAME. If databases were added or removed, another database may have it.',
  },
};

/** @param part fills `{}` */
export function apiError(name: ErrorName, part = '', headers: Readonly<Record<string, string>> = {}) {
  const { status, code, detail } = catalogue[name];
  const line = errorLine(
    null,
    code,
    detail.replace('{}', () => part),
  );
  return new ApiError(status, [line], { ...headersOf[status], ...headersOf[name], ...headers });
}

/** A body's error: all that is wrong, in the order of the fields. */
export const validationError = (lines: readonly ErrorLine[]) => new ApiError(400, lines, {}, 'validation_error');
