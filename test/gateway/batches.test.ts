import { parse } from 'content-disposition';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BATCH, documentKeyOfId, newId, type Batch } from '@trifold/crds';
import { ManualClock } from '@trifold/platform/manual-clock.ts';
import { readZip } from '../support/zip.ts';
import { GatewayFixture } from './gateway-fixture.ts';
import { FAILURE, fileOf, ScriptedBatches } from './scripted-batches.ts';

const HOUR = 3_600_000;
const ITEMS = [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }, { data: { name: 'Joan' } }];

let clock: ManualClock;
let gateway: GatewayFixture;
let controller: ScriptedBatches;
let template_id: string;
beforeAll(async () => {
  clock = new ManualClock();
  gateway = await GatewayFixture.start({ clock });
  controller = new ScriptedBatches(gateway);
  template_id = await gateway.template();
});
afterAll(async () => gateway.stop());

const send = async (members: object = {}, options: Parameters<GatewayFixture['call']>[2] = {}) =>
  gateway.call('POST', '/v1/generate/batch', {
    ...options,
    body: { template_id, format: 'pdf', items: ITEMS, ...members },
  });
const read = async (id: string, key = gateway.key) =>
  gateway.call('GET', `/v1/generate/batch/${id}`, { key });
const item = async (id: string, index: number | string, key = gateway.key) =>
  gateway.call('GET', `/v1/generate/batch/${id}/items/${index}/download`, { key });
const zip = async (id: string, key = gateway.key) =>
  gateway.call('GET', `/v1/generate/batch/${id}/download`, { key });

async function accepted(members: object = {}): Promise<string> {
  const answer = await send(members);
  if (answer.statusCode !== 202) throw new Error(answer.body);
  return answer.json<{ id: string }>().id;
}

describe('POST /v1/generate/batch', () => {
  it('answers 202 with the batch, of which nothing is made yet', async () => {
    const answer = await send();
    expect(answer.statusCode).toBe(202);
    const now = clock.now();
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^bat-[0-9a-z]{26}$/),
      status: 'pending',
      template_id,
      format: 'pdf',
      total: 3,
      completed: 0,
      failed: 0,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 24 * HOUR).toISOString(),
      status_url: `/v1/generate/batch/${answer.json().id}`,
    });
  });

  it('makes one resource that refers to the data of its items', async () => {
    const id = await accepted({ options: { page_size: 'a4' } });
    const { metadata, spec } = await controller.get(id);
    const prefix = `${documentKeyOfId('acme', id)}/`;
    expect(spec).toMatchObject({
      templateRef: { name: template_id },
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
      itemsRef: { prefix, size: ITEMS.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0) },
      total: 3,
      format: 'pdf',
      options: { pageSize: 'a4' },
      mode: 'live',
      keyId: expect.stringMatching(/^key-/),
      expiresAt: new Date(clock.now().getTime() + 24 * HOUR).toISOString(),
    });
    expect(metadata.labels).toEqual({ 'trifold.dev/items': '3' });
    expect(await controller.data(id)).toEqual(ITEMS.map(({ data }) => data));
  });

  it('keeps the data of each item with the defaults of the schema', async () => {
    const fields = [{ name: 'greeting', type: 'string', default: 'Dear' }];
    const id = await accepted({ template_id: await gateway.template({ schema: { fields } }) });
    expect(await controller.data(id)).toEqual(ITEMS.map(({ data }) => ({ greeting: 'Dear', ...data })));
  });

  it('takes a hundred items, and says of a test key’s batch that it is one', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ data: { index } }));
    const answer = await send({ items }, { key: await gateway.mint({ mode: 'test' }, true) });
    expect(answer.json()).toMatchObject({ total: 100, status: 'pending' });
    const { id } = answer.json<{ id: string }>();
    expect((await controller.get(id)).spec).toMatchObject({ mode: 'test', total: 100 });
    expect(await controller.data(id)).toEqual(items.map(({ data }) => data));
  });

  it.each([
    ['no items', { items: [] }, '/items', 'must have at least 1 item'],
    [
      '101 items',
      { items: Array.from({ length: 101 }, () => ({ data: {} })) },
      '/items',
      'at most 100 items',
    ],
    ['items left out', { items: undefined }, '/items', 'is required'],
    ['items that are no list', { items: {} }, '/items', 'must be an array'],
    ['an item without data', { items: [{ data: {} }, {}] }, '/items/1/data', 'is required'],
    ['an item whose data is a list', { items: [{ data: [] }] }, '/items/0/data', 'must be an object'],
    [
      'an item with more',
      { items: [{ data: {}, filename: 'x' }] },
      '/items/0/filename',
      'not a known member',
    ],
    ['no format', { format: undefined }, '/format', 'is required'],
    ['an unknown format', { format: 'epub' }, '/format', 'must be one of'],
    ['no template', { template_id: undefined }, '/template_id', 'is required'],
    ['an unknown member', { async: true }, '/async', 'not a known member'],
    ['a callback', { webhook_url: 'https://example.com' }, '/webhook_url', 'not a known member'],
    ['wrong options', { options: { page_size: 'a7' } }, '/options/page_size', 'must be one of'],
  ])('is 400 for %s', async (_what, members, path, message) => {
    const answer = await send(members);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_request',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it.each([['a template that is not there', { template_id: 'tpl-nothing' }, 404, 'template_not_found']])(
    'refuses %s as a single document is',
    async (_what, members, status, code) => {
      expect((await send(members)).json()).toMatchObject({ statusCode: status, code });
    },
  );

  it('refuses options that leave no room', async () => {
    const answer = await send({ options: { margins: '5in' } });
    expect(answer.json()).toMatchObject({ code: 'options_invalid', details: [{ path: '/options/margins' }] });
  });

  it('is 422 for an archived template', async () => {
    const archived = await gateway.template({ status: 'archived' });
    expect((await send({ template_id: archived })).json().code).toBe('template_archived');
  });

  it('needs the scope of single documents', async () => {
    const key = await gateway.mint({ scopes: ['templates:read'] }, true);
    for (const answer of [await send({}, { key }), await read('bat-1', key), await zip('bat-1', key)]) {
      expect(answer.json()).toMatchObject({ statusCode: 401, missingScopes: ['documents:generate'] });
    }
  });

  it.each(['GET', 'HEAD', 'DELETE', 'PUT'] as const)('is not read as an id: %s', async (method) => {
    const answer = await gateway.call(method, '/v1/generate/batch');
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  });
});

describe('the data of the items', () => {
  const fields = [
    { name: 'name', type: 'string', required: true },
    { name: 'total', type: 'number', min: 0 },
  ];
  let strict: string;
  beforeAll(async () => {
    strict = await gateway.template({ schema: { fields } });
  });

  it('is held to the schema, each place with the index of its item, before anything is kept', async () => {
    const before = (await controller.all()).length;
    const items = Array.from({ length: 20 }, () => ({ data: { name: 'Ada', total: 1 } as object }));
    items[3] = { data: { total: 2 } };
    items[17] = { data: { name: 'Ada', total: -1 } };
    const stored = (await gateway.store.list('documents/')).objects.length;
    const answer = await send({ template_id: strict, items });
    expect(answer.json()).toMatchObject({
      statusCode: 422,
      code: 'data_invalid',
      message: expect.stringContaining('/items/3/data/name is required (and 1 more)'),
      details: [
        { path: '/items/3/data/name', message: 'is required' },
        { path: '/items/17/data/total', message: 'must be at least 0' },
      ],
    });
    expect((await controller.all()).length).toBe(before);
    expect((await gateway.store.list('documents/')).objects.length).toBe(stored);
  });

  it('is told at most a hundred problems of', async () => {
    const items = Array.from({ length: 100 }, () => ({ data: { total: 'much' } }));
    const { details } = (await send({ template_id: strict, items })).json<{ details: unknown[] }>();
    expect(details).toHaveLength(100);
  });

  it('is at most as large as a body with the defaults of the schema, which may be in many places', async () => {
    const text = { type: 'string', default: 'x'.repeat(100_000) };
    const rows = { name: 'rows', type: 'array', items: { type: 'object', properties: { text } } };
    const large = await gateway.template({ schema: { fields: [rows] } });
    const ofRows = (count: number) => ({ data: { rows: Array.from({ length: count }, () => ({})) } });
    const hundred = Array.from({ length: 100 }, () => ofRows(2));
    for (const [items, naming] of [
      [[ofRows(20_000)], '/items/0/data has more than 2097152 bytes'],
      [hundred, 'data has more than 16777216 bytes'],
    ] as const) {
      const answer = await send({ template_id: large, items });
      expect(answer.json()).toMatchObject({
        statusCode: 413,
        code: 'body_too_large',
        message: expect.stringContaining(naming),
      });
    }
    expect((await send({ template_id: large, items: [ofRows(2)] })).statusCode).toBe(202);
  });

  it('lets other requests through while it is checked', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const list = { name: 'many', type: 'array', items: { type: 'number', min: 0 } };
    const slow = await gateway.template({ schema: { fields: [list] } });
    const items = Array.from({ length: 100 }, () => ({ data: { many } }));
    const order: string[] = [];
    const batch = send({ template_id: slow, items }).then(() => order.push('batch'));
    const others = (async () => {
      while (!order.includes('batch')) {
        await gateway.call('GET', '/healthz', { key: '' });
        order.push('other');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all([batch, others]);
    expect(order.indexOf('batch')).toBeGreaterThan(20);
  });
});

describe('the body of a batch', () => {
  let small: GatewayFixture;
  beforeAll(async () => {
    small = await GatewayFixture.start({ config: { maxBodyBytes: 2048, maxBatchBodyBytes: 8192 } });
  });
  afterAll(async () => small.stop());

  const sendItems = async (template: string, sizes: number[], headers: Record<string, string> = {}) =>
    small.call('POST', '/v1/generate/batch', {
      body: {
        template_id: template,
        format: 'pdf',
        items: sizes.map((bytes) => ({ data: { text: 'x'.repeat(bytes) } })),
      },
      headers,
    });

  it('has a limit of its own, which is named', async () => {
    const within = await sendItems('tpl-none', [1500, 1500, 1500, 1500]);
    expect(within.json().code).toBe('template_not_found');
    const beyond = await sendItems('tpl-none', [1800, 1800, 1800, 1800, 1800]);
    expect(beyond.json()).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: expect.stringContaining('8192 bytes'),
    });
    const single = { template_id: 'tpl-none', data: { text: 'x'.repeat(3000) } };
    const refused = await small.call('POST', '/v1/generate', { body: single });
    expect(refused.json().message).toContain('2048 bytes');
  });

  it.each([
    ['without an Idempotency-Key', {}],
    ['with one, which it does not use up', { 'idempotency-key': 'run-1' }],
  ])('has no item that is larger than a single document may be: %s', async (_what, headers) => {
    const template = await small.template();
    const answer = await sendItems(template, [10, 3000, 10], headers);
    expect(answer.json()).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: expect.stringContaining('/items/1/data has more than 2048 bytes'),
      details: [{ path: '/items/1/data', message: expect.stringContaining('2048 bytes') }],
    });
    expect((await sendItems(template, [10, 2000, 10], headers)).statusCode).toBe(202);
  });

  it('has no item that is larger with the defaults of the schema, or in bytes than in characters', async () => {
    const fields = [{ name: 'note', type: 'string', default: 'y'.repeat(1000) }];
    const template = await small.template({ schema: { fields } });
    expect((await sendItems(template, [10, 1500])).json()).toMatchObject({
      statusCode: 413,
      details: [{ path: '/items/1/data' }],
    });
    const wide = [{ data: { text: 'ö'.repeat(1100) } }];
    const plain = await small.template();
    const body = { template_id: plain, format: 'pdf', items: wide };
    expect((await small.call('POST', '/v1/generate/batch', { body })).statusCode).toBe(413);
  });
});

describe('the status of a batch', () => {
  it('follows its resource, item by item', async () => {
    const id = await accepted();
    expect((await read(id)).json()).toMatchObject({
      status: 'pending',
      items: [0, 1, 2].map((index) => ({ index, status: 'pending' })),
    });
    await controller.progress(
      id,
      new Map<number, Buffer | typeof FAILURE>([
        [2, fileOf(2)],
        [0, FAILURE],
      ]),
    );
    expect((await read(id)).json()).toMatchObject({ status: 'processing', completed: 1, failed: 1 });
    expect((await read(id)).json().items).toEqual([
      { index: 0, status: 'failed', error: FAILURE },
      { index: 1, status: 'pending' },
      {
        index: 2,
        status: 'completed',
        file_url: `/v1/generate/batch/${id}/items/2/download`,
        file_size: fileOf(2).length,
      },
    ]);
  });

  it('is completed when some items failed, and failed when all did', async () => {
    const some = await accepted();
    await controller.finish(some, new Map([[1, FAILURE]]));
    expect((await read(some)).json()).toMatchObject({ status: 'completed', completed: 2, failed: 1 });
    const none = await accepted();
    await controller.finish(none, new Map([0, 1, 2].map((index) => [index, FAILURE])));
    expect((await read(none)).json()).toMatchObject({ status: 'failed', completed: 0, failed: 3 });
  });

  it('is the same after the resource is gone', async () => {
    const ids = [await accepted(), await accepted(), await accepted()] as const;
    await controller.finish(ids[0], new Map([[1, FAILURE]]));
    await controller.finish(ids[1], new Map([0, 1, 2].map((index) => [index, FAILURE])));
    await controller.refuse(ids[2]);
    for (const id of ids) {
      const before = (await read(id)).json();
      await controller.remove(id);
      expect((await read(id)).json()).toEqual(before);
    }
    expect((await item(ids[0], 2)).rawPayload).toEqual(fileOf(2));
    expect((await zip(ids[0])).statusCode).toBe(200);
  });

  it('says of each item why it is not there when the whole batch was refused', async () => {
    const id = await accepted();
    await controller.refuse(id);
    const batch = (await read(id)).json();
    expect(batch).toMatchObject({ status: 'failed', error: FAILURE });
    expect(batch.items).toEqual([0, 1, 2].map((index) => ({ index, status: 'failed', error: FAILURE })));
  });

  it('may be asked with any key of the account, and with none of another', async () => {
    const id = await accepted();
    await controller.finish(id);
    const sibling = await gateway.mint({}, true);
    for (const remove of [false, true]) {
      if (remove) await controller.remove(id);
      expect((await read(id, sibling)).statusCode).toBe(200);
      for (const answer of [
        await read(id, gateway.otherKey),
        await item(id, 0, gateway.otherKey),
        await zip(id, gateway.otherKey),
      ]) {
        expect(answer.json()).toMatchObject({ statusCode: 404, code: 'batch_not_found' });
      }
    }
  });

  it.each(['bat-nothing', 'gen-01jd0000000000000000000000', 'download', 'UPPER', '%00', '..%2f..%2fx'])(
    'is 404 for the id %s, which nothing has',
    async (id) => {
      for (const answer of [await read(id), await item(id, 0), await zip(id)]) {
        expect(answer.json().code).toBe('batch_not_found');
      }
    },
  );

  it('is not that of a document, nor the other way round', async () => {
    const { id } = (
      await gateway.call('POST', '/v1/generate', { body: { template_id, data: {}, async: true } })
    ).json();
    expect((await read(id)).json().code).toBe('batch_not_found');
    const batch = await accepted();
    await controller.finish(batch);
    for (const remove of [false, true]) {
      if (remove) await controller.remove(batch);
      const answer = await gateway.call('GET', `/v1/generate/${batch}`);
      expect(answer.json().code).toBe('document_not_found');
    }
  });

  it('is 410 after a day, whatever there was', async () => {
    const old = newId('bat', new Date(clock.now().getTime() - 24 * HOUR));
    for (const answer of [await read(old), await item(old, 0), await zip(old)]) {
      expect(answer.json()).toMatchObject({ statusCode: 410, code: 'expired' });
    }
  });
});

describe('the file of an item', () => {
  it('has the bytes, their length, tag and a name in the order of the items', async () => {
    const items = Array.from({ length: 11 }, () => ({ data: {} }));
    const id = await accepted({ items });
    await controller.finish(id);
    const answer = await item(id, 3);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(fileOf(3));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(fileOf(3).length),
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'cache-control': 'private, no-cache',
    });
    const disposition = parse(String(answer.headers['content-disposition']));
    expect(disposition).toMatchObject({ type: 'attachment', parameters: { filename: `${id}-03.pdf` } });
    const url = `/v1/generate/batch/${id}/items/3/download`;
    const head = await gateway.call('HEAD', url);
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'content-disposition']) {
      expect(head.headers[name]).toBe(answer.headers[name]);
    }
    const headers = { 'if-none-match': String(answer.headers.etag) };
    expect((await gateway.call('GET', url, { headers })).statusCode).toBe(304);
  });

  it('is there as soon as the item is, and 409 until then or when it failed', async () => {
    const id = await accepted();
    await controller.progress(
      id,
      new Map<number, Buffer | typeof FAILURE>([
        [0, fileOf(0)],
        [1, FAILURE],
      ]),
    );
    expect((await item(id, 0)).rawPayload).toEqual(fileOf(0));
    expect((await item(id, 1)).json()).toMatchObject({
      statusCode: 409,
      code: 'generation_failed',
      message: expect.stringContaining(FAILURE.message),
    });
    expect((await item(id, 2)).json()).toMatchObject({
      statusCode: 409,
      code: 'not_ready',
      message: expect.stringContaining(`/v1/generate/batch/${id}`),
    });
  });

  it.each(['3', '100', '-1', '00', '1.0', 'one', '%00', '99999999999999999999'])(
    'is 404 for the index %s of three items',
    async (index) => {
      const id = await accepted();
      await controller.finish(id);
      expect((await item(id, index)).json()).toMatchObject({ statusCode: 404, code: 'document_not_found' });
    },
  );

  it('is for the key that made the batch, as is the zip', async () => {
    const id = await accepted();
    await controller.finish(id);
    const sibling = await gateway.mint({}, true);
    for (const remove of [false, true]) {
      if (remove) await controller.remove(id);
      for (const answer of [await item(id, 0, sibling), await zip(id, sibling)]) {
        expect(answer.json()).toMatchObject({ statusCode: 403, code: 'different_key' });
      }
    }
  });

  it('is found by the name of the batch, never by what its resource says', async () => {
    const id = await accepted();
    await controller.finish(id);
    const thief = await gateway.kubernetes.resource<Batch>(BATCH).create({
      metadata: { name: 'thief', namespace: 'other' },
      spec: { ...(await controller.get(id)).spec, keyId: undefined } as unknown as Batch['spec'],
    });
    const { namespace = '', name } = thief.metadata;
    const status = {
      phase: 'Completed' as const,
      completed: 1,
      items: [{ index: 0, phase: 'Completed' as const, size: 1 }],
    };
    await gateway.kubernetes.resource<Batch>(BATCH).patchStatus({ namespace, name }, { status });
    for (const answer of [await item('thief', 0, gateway.otherKey), await zip('thief', gateway.otherKey)]) {
      expect(answer.statusCode).toBe(410);
    }
  });
});

describe('the files of a batch as a zip', () => {
  it('has every file under its name and the time of the batch, and leaves out what failed', async () => {
    const id = await accepted();
    await controller.finish(id, new Map([[1, FAILURE]]));
    const answer = await zip(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': `attachment; filename=${id}.zip`,
    });
    const modified = new Date(Math.floor(clock.now().getTime() / 1000) * 1000);
    expect(readZip(answer.rawPayload)).toEqual([
      { name: `${id}-0.pdf`, bytes: fileOf(0), stored: true, modified },
      { name: `${id}-2.pdf`, bytes: fileOf(2), stored: true, modified },
    ]);
    const head = await gateway.call('HEAD', `/v1/generate/batch/${id}/download`);
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(answer.headers['content-length']);
  });

  it('is 409 while the batch is not finished, also when files are there', async () => {
    const id = await accepted();
    expect((await zip(id)).json()).toMatchObject({ statusCode: 409, code: 'not_ready' });
    await controller.progress(id, new Map([[0, fileOf(0)]]));
    expect((await zip(id)).json()).toMatchObject({ statusCode: 409, code: 'not_ready' });
  });

  it('is 422 when every item failed, and says why', async () => {
    const id = await accepted();
    await controller.finish(id, new Map([0, 1, 2].map((index) => [index, FAILURE])));
    expect((await zip(id)).json()).toMatchObject({
      statusCode: 422,
      code: 'generation_failed',
      message: expect.stringContaining(FAILURE.message),
    });
  });

  it('is 410 when the files are gone already', async () => {
    const id = await accepted();
    await controller.finish(id);
    await gateway.store.deletePrefix(`${documentKeyOfId('acme', id)}/`);
    expect((await zip(id)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
    expect((await item(id, 0)).json()).toMatchObject({ statusCode: 410, code: 'expired' });
  });
});

describe('a deployment', () => {
  let relaxed: GatewayFixture | undefined;
  afterEach(async () => relaxed?.stop());

  it('may let every key of the account download', async () => {
    relaxed = await GatewayFixture.start({ config: { downloadAccess: 'account' } });
    const own = new ScriptedBatches(relaxed);
    const body = { template_id: await relaxed.template(), format: 'pdf', items: ITEMS };
    const { id } = (await relaxed.call('POST', '/v1/generate/batch', { body })).json();
    await own.finish(id);
    const key = await relaxed.mint({}, true);
    for (const path of ['items/0/download', 'download']) {
      expect((await relaxed.call('GET', `/v1/generate/batch/${id}/${path}`, { key })).statusCode).toBe(200);
    }
  });
});
