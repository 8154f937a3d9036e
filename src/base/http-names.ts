// Node's lists of methods and reasons. An import of node:http would load fetch too, which takes 10 % of a start.
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
