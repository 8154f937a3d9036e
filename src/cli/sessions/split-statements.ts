// Splits SQL at the semicolons that end statements, so that an error can name the line and each result has its own rows.

/** The index of the statement's first word in the script. */
export interface Statement {
  readonly at: number;
  readonly text: string;
}

// A comment may hold another one.
const comment = String.raw`--[^\n]*|/\*(?:/\*.*?\*/|.)*?\*/`;
// What may hold a semicolon that ends nothing. The body of a function that begins with `begin atomic` has several; only
// PostgreSQL's grammar finds its end, so it and all that follows it are one piece, which PostgreSQL takes as well.
const token = new RegExp(
  String.raw`${comment}|\be'(?:''|\\.|[^'\\])*'|'[^']*'|"[^"]*"|(?<![\w$])\$([a-z_]\w*)?\$.*?\$\1\$|\bbegin\s+atomic\b.*|;`,
  'gis',
);
const blank = new RegExp(String.raw`^(?:\s|${comment})*`, 's');

export function splitStatements(script: string): Statement[] {
  const ends = [...script.matchAll(token)].filter(([found]) => found === ';').map(({ index }) => index);
  let start = 0;
  return [...ends, script.length].flatMap((end) => {
    const piece = script.slice(start, end);
    const [{ length }] = blank.exec(piece) ?? [''];
    const at = start + length;
    start = end + 1;
    return length < piece.length ? [{ at, text: piece.slice(length) }] : [];
  });
}
