// The HTTP headers of pages.

const policy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'connect-src': "'self'",
  'img-src': 'data:',
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * Scripts, styles, requests and forms only of and to this service, nothing inline, and no frame.
 * @param more sources that this page needs beyond those, by directive
 */
export const headersOfPage = (more: Partial<typeof policy> = {}): Record<string, string> => ({
  'Content-Security-Policy': Object.entries(policy)
    .map(([directive, sources]) =>
      [directive, sources, more[directive as keyof typeof policy]].filter(Boolean).join(' '),
    )
    .join('; '),
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`, with which browsers send `Origin: null` with the forms of the page.
  'Referrer-Policy': 'same-origin',
  // It depends on a cookie. An API's answer has no validity, and no cache keeps it.
  'Cache-Control': 'private, no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

export const pageHeaders: Readonly<Record<string, string>> = headersOfPage();
