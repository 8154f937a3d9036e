// A menu of the header. It opens and closes without a script; page.js closes it by Escape and by a click elsewhere.
import { html, type Html, type Piece } from '../html.ts';

export const renderMenu = (kind: string, label: Piece, ...content: readonly Piece[]): Html =>
  html`<details class="menu ${kind}">
    <summary class="button">${label}</summary>
    <div class="choice block">${content}</div>
  </details>`;
