// The tag function of HTML templates escapes every value that isn't markup.

/** Safe markup. Only `html`, `exact` and documentation.ts make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Html | string | number | false | undefined | readonly Piece[];

/**
 * The text for an element or a quoted attribute. U+FFFD replaces characters that HTML forbids, and those that
 * change the direction of writing: a name could rearrange the page with them.
 */
export const escapeHtml = (text: string) => text.replace(unshown, '\ufffd').replace(special, toReference);

/**
 * The text of a field, unchanged, because a person sends it back. Only NUL is lost: browsers read `&#0;` as
 * U+FFFD.
 */
export const exact = (text: string) => new Html(text.replace(fragile, toReference));

const toReference = (character: string) => `&#${character.charCodeAt(0)};`;
const special = /[&<>"']/g;
const unshown = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;
// Leaves U+0080 to U+009F as they are: browsers read `&#128;` as another character.
const fragile = /[&<>"']|[^\P{Cc}\t\n\x80-\x9f]|[\u202a-\u202e\u2066-\u2069]/gu;

// The fixed texts of templates, without indentation, which would be a tenth of a page.
const withoutIndentation = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The tag: `html`<p>${name}</p>`` escapes name, joins lists, drops undefined and false. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]) {
  let constants = withoutIndentation.get(strings);
  if (constants === undefined) {
    constants = strings.map((text) => text.replaceAll(/\n\s*/g, '\n'));
    withoutIndentation.set(strings, constants);
  }
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
