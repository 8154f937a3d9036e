// Paths whose escapes are none, or no UTF-8. The real system finds nobody of such a name (transcript list__unknown-user), so the
// broken bytes are escaped once more and go the way of every unknown name, through the same checks and headers.

/** The URL with its path made decodable; the query stays. */
export function escapeBrokenPath(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (isDecodable(path)) return url;
  const mended = path.replaceAll(/(?:%[0-9A-Fa-f]{2})+|%/g, (run) =>
    run !== '%' && isDecodable(run) ? run : run.replaceAll('%', '%25'),
  );
  return end === -1 ? mended : mended + url.slice(end);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
