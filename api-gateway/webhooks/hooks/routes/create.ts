import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { CreatedHook, HookBody } from '../../endpoint-body.ts';
import { hookViewOf } from '../../endpoint-view.ts';

const schema = {
  operationId: 'createHook',
  summary: 'Create a hook',
  description: 'Events go to the hook and to the webhook of the account. Only this answer has the secret.',
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
