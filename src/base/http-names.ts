// Node's methods and reason phrases. Importing node:http would load fetch too, which takes 10 % of a start.
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
