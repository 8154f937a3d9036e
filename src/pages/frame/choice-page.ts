// The choice of user as a page of its own: for a choice that was refused, and for links.
import type { ApiError } from '../../base/errors.ts';
import { html } from '../html.ts';
import { renderLayout } from './layout.ts';
import type { Visitor } from '../../http/visitor.ts';
import { renderChoice } from './visitor-choice.ts';

interface ChoicePage {
  readonly baseUrl: string;
  readonly visitor: Visitor | undefined;
  /** Where the choice leads to. */
  readonly next: string;
  readonly refusal?: ApiError | undefined;
}

/** The whole document. To be sent with `pageHeaders`. */
export function renderChoicePage({ baseUrl, visitor, next, refusal }: ChoicePage): string {
  const title = visitor?.username === undefined ? 'Choose a user' : `You act as ${visitor.username}`;
  const isOfToken = refusal?.status === 401 || refusal?.lines.some(({ attr }) => attr === 'token') === true;
  const message = refusal?.message;
  return renderLayout({
    title: `${refusal === undefined ? '' : 'Refused: '}${title} · Understudy`,
    baseUrl,
    main: html`<div class="narrow stack">
      <h1>${title}</h1>
      ${message !== undefined && !isOfToken && html`<p class="wrong" role="alert">${message}</p>`}
      <div class="choice">
        ${renderChoice({ baseUrl, returnTo: next, visitor, wrongToken: isOfToken ? message : undefined })}
      </div>
    </div>`,
  });
}
