// Paths of each kind of route that takes a body.
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

/** The body of an answer that refuses them: JSON, or a page. */
export const whole = /(?:^\{"type":"client_error",.*\}|<\/html>\s*)$/s;
