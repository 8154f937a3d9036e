import { test as base } from '@playwright/test';
import { connect } from 'weblate-understudy';

export const test = base.extend({
  box: ({}, use, info) => connect().withSandbox(use, { failed: () => info.status !== info.expectedStatus }),
});
export { expect } from '@playwright/test';
