import { describe, expect, it } from 'vitest';
import { Api, expectError } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { isKnown } from '../support/keys-command.ts';
import { clientWith, live, newAccount, otherAccount, test, url } from './service-under-test.ts';

interface KeyAnswer {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly scopes: string[];
  readonly key?: string;
  readonly last_four: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}
interface KeyPage {
  readonly data: KeyAnswer[];
  readonly pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

const ALL_SCOPES = [
  'templates:read',
  'templates:write',
  'documents:generate',
  'api-keys:read',
  'api-keys:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
];

/** Creates a key over HTTP and returns it with a client that uses it. */
async function make(body: object = {}, api: Api = live): Promise<KeyAnswer & { api: Api }> {
  const answer = await api.post('/v1/api-keys', { name: 'Acceptance', ...body });
  expect(answer.status, answer.text).toBe(201);
  const made = answer.json<KeyAnswer>();
  const holder = new Api(url, made.key);
  // The gateway that created the key knows it at once, but the address may lead to another one.
  await eventually(() => isKnown(holder));
  return { ...made, api: holder };
}

describe('POST /v1/api-keys', () => {
  it('returns the full key once: a prefix and 43 letters and digits', async () => {
    const made = await make({ name: 'Shop', description: 'Invoices', scopes: ['documents:generate'] });
    expect(made).toMatchObject({
      name: 'Shop',
      description: 'Invoices',
      type: 'live',
      scopes: ['documents:generate'],
      key: expect.stringMatching(/^tf_live_[A-Za-z0-9]{43}$/),
    });
    const read = await live.get(`/v1/api-keys/${made.id}`);
    expect(read.text).not.toContain(made.key?.slice(8, -4));
    expect(read.json()).toMatchObject({ id: made.id, last_four: made.key?.slice(-4) });
    expect(read.json()).not.toHaveProperty('key');
  });

  it('grants all scopes by default', async () => {
    const made = await make();
    expect(made.scopes.toSorted()).toEqual(ALL_SCOPES.toSorted());
    expect((await made.api.get('/v1/templates')).status).toBe(200);
  });

  it('creates a key that can use its scopes and nothing else', async () => {
    const { id } = await live.createTemplate();
    const made = await make({ scopes: ['templates:read', 'documents:generate'] });
    const document = await made.api.document(id, { name: 'Ada' });
    expect(document.subarray(0, 5).toString()).toBe('%PDF-');
    const rejected = await made.api.delete(`/v1/templates/${id}`);
    expect(rejected.status).toBe(401);
    expect(rejected.json()['missingScopes']).toEqual(['templates:write']);
  });

  it('creates a test key, and lets a test key create only test keys', async () => {
    expect((await make({ type: 'test' })).key).toMatch(/^tf_test_/);
    expect((await make({}, test)).key).toMatch(/^tf_test_/);
    expectError(await test.post('/v1/api-keys', { name: 'x', type: 'live' }), 403);
  });
});

describe('GET /v1/api-keys', () => {
  it('lists only the keys of the account, newest first, page by page', async () => {
    const owner = await clientWith({ account: newAccount() });
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third']) ids.unshift((await make({ name }, owner)).id);
    const first = (await owner.get('/v1/api-keys?limit=2')).json<KeyPage>();
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toEqual({ has_more: true, next_cursor: expect.any(String), total_count: 4 });
    const next = await owner.get(`/v1/api-keys?limit=2&cursor=${first.pagination.next_cursor}`);
    const second = next.json<KeyPage>();
    expect(second.data[0]?.id).toBe(ids[2]);
    expect(second.pagination).toEqual({ has_more: false, next_cursor: null, total_count: 4 });
    expectError(await otherAccount.get(`/v1/api-keys?cursor=${first.pagination.next_cursor}`), 400);
  });

  it('shows when a key was last used', async () => {
    const made = await make();
    await made.api.get('/v1/templates');
    await eventually(async () => {
      const { last_used_at: lastUsed } = (await live.get(`/v1/api-keys/${made.id}`)).json<KeyAnswer>();
      return lastUsed !== null && Date.parse(lastUsed) >= Date.parse(made.created_at);
    });
  });
});

describe('DELETE /v1/api-keys/:id', () => {
  it('revokes the key, which then returns 404', async () => {
    const made = await make();
    expect((await made.api.get('/v1/templates')).status).toBe(200);
    expect((await live.delete(`/v1/api-keys/${made.id}`)).json()).toEqual({ id: made.id, deleted: true });
    await eventually(async () => (await made.api.get('/v1/templates')).status === 401);
    expectError(await live.get(`/v1/api-keys/${made.id}`), 404);
    expectError(await live.delete(`/v1/api-keys/${made.id}`), 404);
  });

  it('keeps what the revoked key created', async () => {
    const { id } = await live.createTemplate();
    const made = await make();
    const document = await made.api.generate(id, { name: 'Ada' });
    await live.delete(`/v1/api-keys/${made.id}`);
    expect((await live.get(document.status_url)).json()).toMatchObject({ status: 'completed' });
  });

  it('returns 404 for a key of another account', async () => {
    const made = await make();
    expectError(await otherAccount.delete(`/v1/api-keys/${made.id}`), 404);
    expectError(await otherAccount.get(`/v1/api-keys/${made.id}`), 404);
    expect((await made.api.get('/v1/templates')).status).toBe(200);
  });
});

describe('/v1/keys', () => {
  it('is an alias of /v1/api-keys', async () => {
    const answer = await live.post('/v1/keys', { name: 'Alias' });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.json<KeyAnswer>();
    expect((await live.get(`/v1/keys/${id}`)).json()).toEqual((await live.get(`/v1/api-keys/${id}`)).json());
    expect((await live.get('/v1/keys')).json<KeyPage>().data.map((entry) => entry.id)).toContain(id);
    expect((await live.delete(`/v1/keys/${id}`)).json()).toEqual({ id, deleted: true });
  });
});
