// A small, strict parser of markup for the tests: a malformed tag is an error.

export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  text: string;
  parent: Element | undefined;
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*(\/?)>/gi;
const voids = new Set(['meta', 'link', 'br', 'hr', 'img', 'input']);

/** Returns all elements in order. Throws for a malformed, misnested or unclosed tag, and for a bare `<`. */
export function parse(document: string): Element[] {
  const source = document.replace(/^<!doctype html>/, '');
  const elements: Element[] = [];
  const open: Element[] = [];
  let end = 0;
  for (const match of source.matchAll(tag)) {
    takeText(source.slice(end, match.index), open);
    end = match.index + match[0].length;
    const [, closing, name = '', attributes = '', selfClosing] = match;
    if (closing === '/') {
      const last = open.pop();
      if (last?.name !== name) throw new Error(`</${name}> closes <${last?.name}>`);
      continue;
    }
    const element = { name, attributes: readAttributes(attributes), text: '', parent: open.at(-1) };
    elements.push(element);
    if (selfClosing !== '/' && !voids.has(name)) open.push(element);
  }
  takeText(source.slice(end), open);
  if (open.length > 0) throw new Error(`never closed: ${open.map(({ name }) => name).join(' ')}`);
  return elements;
}

/** Decodes entities. */
function unescape(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (_, name: string, code: string) =>
    code === undefined ? (entities[name] ?? '') : String.fromCharCode(Number(code)),
  );
}

function takeText(text: string, open: readonly Element[]): void {
  if (text.includes('<')) throw new Error(`a bare < in ${JSON.stringify(text.slice(0, 200))}`);
  if (open.length === 0 && text.trim() !== '') throw new Error(`text outside of the document: ${text}`);
  const plain = unescape(text);
  for (const element of open) element.text += plain;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)) {
    if (attributes.has(name)) throw new Error(`the attribute ${name} stands twice`);
    attributes.set(name, unescape(value));
  }
  return attributes;
}
