// A method and a path for each kind of route that takes a body, and for paths that aren't served.
export const pathsOfBodies = [
  ['POST', '/api/users/alice/notifications/'],
  ['POST', '/sandboxes/default/api/users/'],
  ['PATCH', '/api/nothing/here/'],
  ['PUT', '/_understudy/sandboxes/default/seed'],
  ['POST', '/_understudy/sandboxes/default/requests/find'],
  ['POST', '/_understudy/console/default/seed/'],
  ['POST', '/_understudy/console/nothing/here/'],
  ['POST', '/_understudy/sign-in/'],
  ['POST', '/session/'],
] as const;

/** Matches a complete answer that refuses such a request: JSON, or a page. */
export const whole = /(?:^\{"type":"client_error",.*\}|<\/html>\s*)$/s;
