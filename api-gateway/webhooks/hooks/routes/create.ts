import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { CreatedHook, HookBody } from '../../endpoint-body.ts';
import { hookViewOf } from '../../endpoint-view.ts';

const schema = {
  operationId: 'createHook',
  summary: 'Register a hook destination',
  description:
    'Events go to it as well as to the webhook of the account. The answer is the only one that holds its secret.',
  tags: ['Webhooks'],
  body: HookBody,
  response: { 201: CreatedHook },
  links: { 201: ['readHook', 'deleteHook'] },
  responseHeaders: { 201: ['Location'] },
  errors: ['too_many_hooks'],
} as const;

/** POST /v1/hooks */
export function createHook(app: Application, { hooks }: Services): void {
  app.post('/v1/hooks', { schema }, async (request, reply) => {
    const { endpoint, secret } = await hooks.create(request.caller.account, request.body);
    return reply
      .code(201)
      .header('location', `/v1/hooks/${endpoint.metadata.name}`)
      .header('cache-control', 'no-store')
      .send({ ...hookViewOf(endpoint), secret });
  });
}
