// The little of Markdown that the document's texts use: paragraphs, and `code`.
import { html, type Html } from '../../pages/html.ts';

export const prose = (text: string): Html[] => text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);

/** One line of text with its `code`. */
export const inline = (text: string): Html[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
