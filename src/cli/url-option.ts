// A server's base URL as an option gives it.
import { UsageError } from './failure.ts';

/** Returns the URL as a server would repeat it: no final slash, no default port. Throws UsageError. */
export function readUrlOption(option: string, text: string | undefined): string {
  if (text === undefined) throw new UsageError(`missing ${option} URL`);
  const url = URL.parse(text);
  // The text is not repeated: it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`${option} must begin with http:// or https://`);
  if (url.username || url.password) throw new UsageError(`${option} must not carry a user or a password`);
  if (url.search || url.hash) throw new UsageError(`${option} must end with its path, without query and fragment`);
  return url.href.replace(/\/+$/, '');
}
