// Node's lists of methods and reasons. To import node:http would load all of fetch with it, a tenth of a start: the names
// that a module exports are read at once, and some of these load when they are read.
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
