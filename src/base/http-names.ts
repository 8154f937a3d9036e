// Node's lists of methods and reasons. Importing node:http would load all of fetch, 10 % of a start: an import reads
// all exported names, and some of these load more when they are read.
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
