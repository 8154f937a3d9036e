// The requests that the tests of outages send.
import type { Service } from '../support/service.ts';
import { aNotification, list } from '../support/setting.ts';

export const asAlice = (service: Service) => ({
  read: () => service.request('GET', list, { as: 'alice' }),
  write: (change: Partial<typeof aNotification> = {}) =>
    service.request('POST', list, { as: 'alice', json: { ...aNotification, ...change } }),
  ready: () => service.request('GET', '/_understudy/health/ready'),
});
