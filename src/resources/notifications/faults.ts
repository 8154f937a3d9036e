// What can be wrong with a subscription as a whole (transcripts create__scoped, create__duplicate, detail__patch).
import { wholeBody } from '../../api/body/decode.ts';
import type { ErrorLine } from '../../errors.ts';

export const scopeIsFixed: ErrorLine = {
  code: 'invalid',
  detail: 'Changing notification scope is not supported.',
  attr: 'scope',
};
export const scopeNeedsTarget: ErrorLine = {
  code: 'invalid',
  detail: 'Scoped notifications require an existing target.',
  attr: 'scope',
};
export const duplicate = wholeBody('unique', 'The fields notification, scope must make a unique set.');
