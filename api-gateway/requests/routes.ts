import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DAY_MS, REQUESTS_KEPT_MS } from '@trifold/crds';
import type { Caller } from '../server/auth/caller.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { examplePage, pageFrom } from '../server/pagination/page.ts';
import { isFailed, MAX_REQUESTS, requestTime, type LoggedRequest } from './logged-request.ts';
import type { RequestLog } from './request-log.ts';
import { EXAMPLE_REQUEST, RequestPage, RequestQuery } from './request-view.ts';

const schema = {
  operationId: 'listRequests',
  summary: 'List requests',
  description: [
    `Lists the account's latest ${MAX_REQUESTS} failed requests (status 400 or higher) and its latest ${MAX_REQUESTS} successful writes from the last ${REQUESTS_KEPT_MS / DAY_MS} days, newest first. Use this list to find a request by the \`request_id\` of its error, or to see which requests a client sends.`,
    'An entry contains the route, the key and the result. It never contains the query, headers, body, error message or client address of a request. Successful reads and previews, requests without a valid key or for an unknown route, and requests from the dashboard are not listed.',
    'A request appears within a second or two; with many active accounts, it can take longer. The log is kept on a best-effort basis: the last requests before a gateway fails can be missing.',
  ].join('\n\n'),
  tags: ['Usage'],
  querystring: RequestQuery,
  response: { 200: RequestPage },
  responseExamples: { 200: examplePage(EXAMPLE_REQUEST) },
  errors: ['invalid_cursor'],
} as const;

/** /v1/requests */
export const requestRoutes: FastifyPluginAsyncTypebox<{
  readonly log: Pick<RequestLog, 'read'>;
  readonly keys: Pick<KeyCache, 'get'>;
}> = async (app, { log, keys }) => {
  const keyName = ({ account, scopes }: Caller, keyId: string) =>
    scopes.includes('api-keys:read') ? { key_name: keys.get(account, keyId)?.spec.name ?? null } : undefined;

  app.get('/v1/requests', { schema }, async ({ caller, query }) => {
    const { outcome, request_id: id, ...page } = query;
    const list = `${caller.account}/requests ${outcome} ${id}`;
    const { data, pagination } = await pageFrom({ list, ...page }, async () =>
      (await log.read(caller.account)).filter(matcher(query)).map((request) => ({
        entry: request,
        position: { createdAt: requestTime(request), id: request.request_id },
      })),
    );
    return {
      data: data.map((request) => ({
        ...request,
        created_at: new Date(requestTime(request)).toISOString(),
        ...keyName(caller, request.key_id),
      })),
      pagination,
    };
  });
};

function matcher({ outcome, request_id: id }: RequestQuery): (request: LoggedRequest) => boolean {
  return (request) =>
    (outcome === undefined || isFailed(request) === (outcome === 'failed')) &&
    (id === undefined || request.request_id === id);
}
