// The package's entry: starts a service, or opens the client of a running service.
export { connect, type Client, type SandboxOptions, type TestOptions } from '../client/client.ts';
export {
  type Expect,
  type Expectation,
  type JournalSlice,
  RequestMismatchError,
  type Requests,
  type Wait,
} from '../client/requests.ts';
export type { LoadOptions, Sandbox, UndoOption } from '../client/sandbox-client.ts';
export type { ConnectOptions } from '../client/transport.ts';
export { UnderstudyError, type ServiceError, type UnderstudyErrorKind } from '../client/understudy-error.ts';
export type * from '../client/wire-types.ts';
export type { StartOptions } from './start-options.ts';
export { ExitEvent, type Service } from './service.ts';
export { start } from './start.ts';
