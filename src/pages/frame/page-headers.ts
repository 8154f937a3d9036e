// The HTTP headers of pages.

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  // Scripts, styles, requests and forms only of and to this service, nothing inline, and no frame.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`, with which browsers send `Origin: null` with the forms of the page.
  'Referrer-Policy': 'same-origin',
  // It depends on a cookie. An API's answer has no validity, and no cache keeps it.
  'Cache-Control': 'private, no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
