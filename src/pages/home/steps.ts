// The lines for a terminal: read, change, put back. They are written for the sample users; without alice, only the root of
// the API is read.
import { curlLine } from '../curl.ts';
import { rootOf } from '../links.ts';
import { type Home, notificationsOf } from './home-contents.ts';

interface Step {
  readonly title: string;
  readonly line: string;
  readonly note?: string;
}

export function listSteps({ baseUrl, sandbox, choices, admin }: Home): Step[] {
  const token = choices.find(({ username }) => username === 'alice')?.token;
  if (token === undefined)
    return [{ title: 'Read the root of the API', line: curlLine({ method: 'GET', url: `${baseUrl}/api/` }) }];
  const url = notificationsOf('alice', baseUrl);
  const body = JSON.stringify({ frequency: 2 });
  const reset = `${rootOf(baseUrl)}/_understudy/sandboxes/${sandbox ?? 'default'}/reset`;
  const read = {
    title: 'Read the subscriptions of alice',
    line: curlLine({ method: 'GET', url: `${url}?page_size=3`, token }),
  };
  const change = {
    title: 'Change one of them as alice: to daily',
    line: curlLine({ method: 'PATCH', url: `${url}1/`, token, body }),
  };
  const back = {
    title: 'Put everything back',
    line: curlLine({ method: 'POST', url: reset }),
    note: `For everybody who uses ${sandbox === undefined ? 'this service' : 'this sandbox'}.`,
  };
  return admin === 'open' ? [read, change, back] : [read, change];
}
