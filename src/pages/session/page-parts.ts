// What the plugins of pages take of the app, beside their options.
import type { Gate } from '../../access/gate.ts';
import type { PathTable } from '../../http/path-table.ts';
import type { Sender } from '../../http/send.ts';
import type { SandboxServices } from '../../sandboxes/handlers.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import type { Sessions } from './sessions.ts';
import type { Visitors } from './visitors.ts';

export interface PageParts {
  readonly services: SandboxServices & Traffic & { readonly paths: PathTable };
  readonly gate: Gate;
  readonly sender: Sender;
  readonly sessions: Sessions;
  readonly visitors: Visitors;
}
