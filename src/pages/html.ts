// HTML from a template's tag, which escapes every value that it didn't make.

/** Markup that is safe in a page. Only `html`, `exact` and the page of a JSON document make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | undefined | readonly Piece[];

/**
 * The text for an element's content or a quoted attribute. Characters that HTML forbids become U+FFFD. So do
 * characters that change the direction of writing: a name must not rearrange the page around it.
 */
export const escapeHtml = (text: string) => text.replace(unshown, '\ufffd').replace(/[&<>"']/g, toReference);

/**
 * The text for what a person edits. It stays the same, or sending it back would change data. HTML can't hold NUL,
 * which becomes U+FFFD.
 */
export const exact = (text: string) => new Html(text.replace(fragile, toReference));

const toReference = (character: string) => `&#${character.charCodeAt(0)};`;
const unshown = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;
// Leaves out the controls from U+0080 on: a reference to one means another character.
const fragile = /[&<>"']|[^\P{Cc}\t\n\x80-\x9f]|[\u202a-\u202e\u2066-\u2069]/gu;

// The constant parts of templates without indentation, which is a tenth of a page.
const withoutIndentation = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The tag: `html`<p>${name}</p>`` escapes name, joins lists and drops undefined and false. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]) {
  let constants = withoutIndentation.get(strings);
  if (constants === undefined)
    withoutIndentation.set(strings, (constants = strings.map((text) => text.replaceAll(/\n\s*/g, '\n'))));
  let text = constants[0] as string;
  for (const [place, piece] of pieces.entries()) text += write(piece) + (constants[place + 1] as string);
  return new Html(text);
}

function write(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(write).join('');
  return escapeHtml(String(piece));
}
