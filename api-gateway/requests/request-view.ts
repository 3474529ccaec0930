import { StringEnum, Timestamp } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { nullable } from '../server/http/route-schemas.ts';
import { pageOf, pageQuery } from '../server/pagination/page.ts';

export const OUTCOMES = ['failed', 'succeeded'] as const;

/** Query of GET /v1/requests. */
export const RequestQuery = Type.Object(
  {
    ...pageQuery,
    outcome: Type.Optional(
      StringEnum(OUTCOMES, {
        description:
          '`failed`: only requests with a status of 400 or higher. `succeeded`: only successful writes.',
      }),
    ),
    request_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only the request with this ID.' }),
    ),
  },
  { additionalProperties: false },
);
export type RequestQuery = Static<typeof RequestQuery>;

/** A request in the log. */
export const RequestEntry = Type.Object(
  {
    request_id: Type.String({ description: 'ID of the request, as in the X-Request-Id header.' }),
    created_at: Timestamp({ description: 'Time at which the request arrived.' }),
    method: Type.String({ description: 'HTTP method.' }),
    route: Type.String({ description: 'Path pattern of the route.', examples: ['/v1/templates/:id'] }),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: nullable(Type.String(), '`code` of the error; null if the request succeeded.'),
    resource_id: nullable(
      Type.String(),
      'ID of the document, template or other resource that the request created or that its path names.',
    ),
    template_id: nullable(Type.String(), 'ID of the saved template that the request used.'),
    key_id: Type.String({ description: 'ID of the API key.' }),
    key_name: Type.Optional(
      nullable(
        Type.String(),
        'Name of the API key; null if it has been revoked. Only for keys with the `api-keys:read` scope.',
      ),
    ),
    duration_ms: Type.Integer({
      minimum: 0,
      description:
        'Time from receiving the request headers to sending the complete response, in milliseconds.',
    }),
  },
  { title: 'RequestEntry', description: 'A request in the log.' },
);
export type RequestEntry = Static<typeof RequestEntry>;

/** A page of the log. */
export const RequestPage = pageOf(RequestEntry, 'RequestList');

export const EXAMPLE_REQUEST: RequestEntry = {
  request_id: 'req-01m7yrrscg3h5k7m9p1r3t5v7x',
  created_at: '2026-11-21T09:59:59.120Z',
  method: 'POST',
  route: '/v1/generate',
  status: 422,
  code: 'data_invalid',
  resource_id: null,
  template_id: 'tpl-01m7yr2b9c4e6g8j0m2p4r6t8v',
  key_id: 'key-01m7yr2b9c4e6g8j0m2p4r6t8v',
  key_name: 'Invoices',
  duration_ms: 7,
};
