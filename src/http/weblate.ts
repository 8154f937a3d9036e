// How the Weblate API handles a request: negotiation, credentials, rate limit, then the handler, in the
// recorded order (transcripts order__*).
import { findCaller, findSignedIn } from '../access/caller-queries.ts';
import type { Limits } from '../access/rate-limit.ts';
import { apiError } from '../base/errors.ts';
import { safeMethods } from '../base/http-names.ts';
import { type Answer, type Call, checkSandboxName, ok, readAsCaller, type Services } from './call.ts';
import type { Surface } from './dispatch.ts';
import type { Operation } from './operation.ts';
import { describePath } from './options.ts';
import type { Sender } from './send.ts';
import { negotiate, plainJson } from './wire/negotiate.ts';
import { parseQueryIn } from './wire/query-string.ts';

type WeblateSurface = Surface<Operation<Services>>;

export function weblateSurface(services: Services, sender: Sender, limits: Limits): WeblateSurface {
  const answer: WeblateSurface['answer'] = async (request, reply, handler) => {
    const { context } = request;
    // The negotiation's errors are JSON.
    context.negotiated = plainJson;
    // The body's charset holds for the query too (transcript wire__charset-query).
    request.query = parseQueryIn(context.place.search, context.contentType) ?? request.query;
    const { format } = request.query as { format?: string };
    context.negotiated = negotiate(format, request.headers.accept);
    if (format !== undefined) context.urlQuery = `?format=${format}`;
    const isAnonymous = context.tokenHash === null;
    context.checkHost();
    checkSandboxName(context.place);
    const limit = isAnonymous ? limits.anonymous : limits.user;
    // Anonymous writes that will be refused aren't counted.
    const isCounted = !isAnonymous || safeMethods.has(request.method) || services.anonymous === 'write';
    if (limit !== undefined && isCounted) {
      // Rate limits follow the sandbox's clock.
      const { principal_id, clock } = await readAsCaller(context, services, findCaller, {});
      const now = clock === null ? Date.now() : Date.parse(clock);
      reply.headers(limit(context.place.sandbox, principal_id ?? request.ip, now));
    }
    sender.send(reply, await handler(context as Call<never, never>, services));
  };

  const describe =
    (operations: readonly Operation<Services>[]) =>
    async (call: Call): Promise<Answer> => {
      const { isThere } = operations[0]?.view ?? {};
      const caller = await readAsCaller(call, services, findCaller, {});
      const exists = isThere === undefined ? caller.target_id !== null : await isThere(call, services);
      return ok(JSON.stringify(describePath(operations, call.tokenHash === null ? undefined : caller, exists)));
    };

  // An anonymous write gets its 401 before the 405 (transcript order__method).
  async function refuseMethod(call: Call): Promise<never> {
    await readAsCaller(call, services, safeMethods.has(call.method) ? findCaller : findSignedIn, {});
    throw apiError('method_not_allowed', call.method);
  }

  return { answer, describe, refuseMethod };
}
