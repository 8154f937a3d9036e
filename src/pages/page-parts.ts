// What the plugins of pages take of the app.
import type { Gate } from '../access/gate.ts';
import type { AnonymousAccess } from '../access/permissions.ts';
import type { Sender } from '../http/send.ts';
import type { ConsoleServices } from './console/console-page.ts';
import type { Sessions } from './session/sessions.ts';
import type { Visitors } from './session/visitors.ts';

export interface PageParts {
  readonly options: {
    readonly anonymous: AnonymousAccess;
    /** Of a form of the console: a seed may be uploaded. */
    readonly adminBodyLimitBytes: number;
  };
  readonly services: ConsoleServices;
  readonly gate: Gate;
  readonly sender: Sender;
  readonly sessions: Sessions;
  readonly visitors: Visitors;
}
