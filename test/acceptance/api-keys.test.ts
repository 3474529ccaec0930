import { AuthenticationError, MissingScopesError, type Scope } from '@trifold/client';
import { expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { live, otherAccount, typescriptClient } from './service-under-test.ts';

const client = typescriptClient(live);
const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => expect.unreachable(JSON.stringify(value)),
    (error: unknown) => error,
  );

it('an API key is created, used within its scopes, listed and revoked', async () => {
  const { id: template_id } = await live.createTemplate();
  const scopes: Scope[] = ['documents:generate'];
  const made = await client.apiKeys.create({ name: 'Shop', description: 'Till 4', scopes });
  expect(made).toMatchObject({ name: 'Shop', description: 'Till 4', type: 'live', scopes });
  const shop = typescriptClient(made);
  const { id } = await eventually(() => shop.documents.generate({ template_id, data: {} }));
  const missing = await errorOf(shop.templates.page());
  expect(missing).toBeInstanceOf(MissingScopesError);
  expect(missing).toMatchObject({ missingScopes: ['templates:read'], yourScopes: scopes });

  const read = await client.apiKeys.get(made.id);
  expect(read).toMatchObject({ id: made.id, last_four: made.key.slice(-4) });
  expect(JSON.stringify(read)).not.toContain(made.key.slice(8, -4));
  await eventually(async () =>
    expect(await client.apiKeys.get(made.id)).not.toMatchObject({ last_used_at: null }),
  );
  const listed: string[] = [];
  for await (const entry of client.apiKeys.list({ limit: 100 })) listed.push(entry.id);
  expect(listed).toContain(made.id);
  for (const response of [
    await otherAccount.get(`/v1/api-keys/${made.id}`),
    await otherAccount.delete(`/v1/api-keys/${made.id}`),
  ]) {
    expectError(response, 404, 'api_key_not_found');
  }

  expect(await client.apiKeys.revoke(made.id)).toEqual({ id: made.id, deleted: true });
  await eventually(async () => (await errorOf(shop.documents.get(id))) instanceof AuthenticationError);
  // Resources that the key created are kept.
  expect(await client.documents.get(id)).toMatchObject({ status: 'completed' });
});
