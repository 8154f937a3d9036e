// An answer's body, in the form of transcripts.
import { isMembers, type Json, parseRawJson } from './raw-json.ts';

/** One of the three: JSON, where null stands for an empty body; an HTML page, whatever it shows; any other text. */
interface ReceivedContent {
  body?: Json;
  html?: true;
  text?: string;
}

/** If a page is expected, `html: null` accepts JSON too. */
export type Content = Omit<ReceivedContent, 'html'> & { html?: true | null };

export function readContent(text: string): ReceivedContent {
  if (text === '') return { body: null };
  if (/^\s*<(?:!doctype html|html)\b/iu.test(text)) return { html: true };
  try {
    const body = parseRawJson(text);
    // In a transcript, null is an empty body: these four letters stay a text.
    return body === null ? { text } : { body };
  } catch {
    return { text };
  }
}

export function kindOf({ body, html, text }: Content) {
  if (text !== undefined) return 'text';
  if (html !== undefined) return html ? 'an HTML page' : 'JSON or an HTML page';
  return body === null ? 'an empty body' : 'JSON';
}

export function describeContent(content: Content): string {
  const kind = kindOf(content);
  return kind === 'text' || kind === 'JSON' ? `${kind}: ${JSON.stringify(content.text ?? content.body)}` : kind;
}

export function withoutTexts<C extends Content>(content: C, texts: readonly string[]): C {
  if (content.text !== undefined)
    return { ...content, text: texts.reduce((left, text) => left.replaceAll(`"${text}"`, ''), content.text) };
  return content.body === undefined ? content : { ...content, body: emptied(content.body, new Set(texts)) };
}

function emptied(value: Json, texts: ReadonlySet<string>): Json {
  if (typeof value === 'string') return texts.has(value) ? '' : value;
  if (Array.isArray(value)) return value.map((item) => emptied(item, texts));
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptied(member, texts)]));
}
