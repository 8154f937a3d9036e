// The fault rules that tests want most, each added by one click.
import type { FaultRule } from '../../../traffic/fault-rules.ts';

const match = { path: '/api/**' };

export const presets: Readonly<Record<string, { title: string; note: string; rule: FaultRule }>> = {
  throttled: {
    title: '429 with Retry-After',
    note: 'Every request is throttled: does the client wait as long as it is told?',
    rule: { name: 'throttled', match, status: 429, headers: { 'Retry-After': '5' } },
  },
  twice: {
    title: '503 twice',
    note: 'The next two requests fail, and the third succeeds: does the client try again?',
    rule: { name: 'twice unavailable', match, status: 503, next: 2 },
  },
  slow: {
    title: 'Slow answers',
    note: 'Each takes half a second to two seconds longer: does a timeout strike?',
    rule: { name: 'slow', match, delay_ms: { min: 500, max: 2000 } },
  },
  cut: {
    title: 'Cut in the middle',
    note: 'The connection breaks after half of the next answer.',
    rule: { name: 'cut', match, connection: 'cut', next: 1 },
  },
  closed: {
    title: 'No answer',
    note: 'The connection is closed before the next answer.',
    rule: { name: 'closed', match, connection: 'close', next: 1 },
  },
};
