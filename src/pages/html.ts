// HTML by a tagged template that escapes every value unless the same tag made it.

/** Markup that is safe in a page as it is. Made only by `html` and from constants. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | undefined | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * The text for an element's content or a quoted attribute. Characters that HTML forbids become U+FFFD, and so do those
 * that change the direction of writing: a name must not rearrange the page around it.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The tag: `html`<p>${name}</p>`` escapes name, joins lists and drops undefined and false. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] as string;
  for (const [place, piece] of pieces.entries()) text += write(piece) + (strings[place + 1] as string);
  return new Html(text);
}

function write(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(write).join('');
  return escapeHtml(String(piece));
}
