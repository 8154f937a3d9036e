// HTML by a tagged template that escapes: what is put in is text, unless it was made by the same tag.

/** A piece of markup that is safe to put into a page as it is. Made by `html`, and by nothing that holds foreign text. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | undefined | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text -> the same text for an element's content or a quoted attribute. Characters that HTML does not allow become U+FFFD,
 * and so do those that turn the direction of writing: a name must not rearrange the page around it.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The tag: `html`<p>${name}</p>`` escapes name. Lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(
    strings.map((string, place) => string + (place < pieces.length ? write(pieces[place]) : '')).join(''),
  );
}

function write(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(write).join('');
  return escapeHtml(String(piece));
}
