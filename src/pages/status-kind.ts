// What a status means, as a class of the stylesheets.

const kinds = ['closed', 'informs', 'succeeds', 'redirects', 'refuses', 'fails'];

/** @param status 0 where the connection was closed instead */
export const statusKind = (status: number): string => kinds[Math.floor(status / 100)] ?? 'fails';
