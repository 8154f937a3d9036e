// What ties a form to the browser's session.
import { html, type Html } from '../html.ts';

/** Stands in every form of a page. Undefined where no session counts. */
export const formTokenField = (formToken: string | undefined): Html | undefined =>
  formToken === undefined ? undefined : html`<input type="hidden" name="csrf" value="${formToken}" />`;
