import { afterAll, describe, expect, it } from 'vitest';
import { TEMPLATE } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { listedTemplate } from './template-cache.ts';

interface Page {
  data: { id: string; name: string; status: string; version: number }[];
  pagination: { total_count: number };
}

/** Counts requests for templates, and can delay watch events. */
class Wire {
  readonly requests: ApiRequest[] = [];
  #open = Promise.resolve();
  #release = () => {};

  hold(): void {
    ({ promise: this.#open, resolve: this.#release } = Promise.withResolvers<void>());
  }

  release(): void {
    this.#release();
  }

  readonly intercept = (transport: ApiTransport): ApiTransport => ({
    send: async (request) => {
      if (!request.path.endsWith('/templates')) return transport.send(request);
      this.requests.push(request);
      const response = await transport.send(request);
      return request.query?.['watch'] ? { ...response, body: this.#held(response.body) } : response;
    },
  });

  async *#held(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      await this.#open;
      yield piece;
    }
  }
}

const wire = new Wire();
const gateway = await GatewayFixture.shared({ intercept: wire.intercept });
afterAll(async () => {
  wire.release();
});

const resources = () => gateway.kubernetes.resource(TEMPLATE);
const list = async (query = '') => (await gateway.call('GET', `/v1/templates${query}`)).json<Page>();
const reads = () => wire.requests.filter(({ method, query }) => method === 'GET' && !query?.['watch']);

it('The template list reads only one template from the server, regardless of how many there are and how large they are', async () => {
  for (let count = 0; count < 120; count++) {
    await gateway.template({ name: `Number ${count}`, html: 'x'.repeat(10_000) });
  }
  const before = reads().length;
  const page = await list('?limit=100');
  expect(page.pagination.total_count).toBe(120);
  expect(page.data[0]).toMatchObject({ name: 'Number 119', version: 1 });
  expect(
    reads()
      .slice(before)
      .map(({ query }) => query?.['limit']),
  ).toEqual(['1']);
});

it('The template list shows templates that kubectl applies, changes and deletes', async () => {
  const spec = { displayName: 'Applied', html: '<p></p>', state: 'draft' } as const;
  const applied = await resources().create({ metadata: { name: 'applied', namespace: 'acme' }, spec });
  expect((await list()).pagination.total_count).toBe(121);
  await resources().replace({ ...applied, spec: { ...spec, displayName: 'Changed' } });
  const drafts = async () => (await list('?status=draft')).data.map(({ name }) => name);
  await eventually(async () => (await drafts()).join(' ') === 'Changed');
  await resources().delete('acme', 'applied');
  expect((await list()).pagination.total_count).toBe(120);
});

describe('The template list while the watch delivers nothing', () => {
  it('still shows recent writes by the gateway', async () => {
    wire.hold();
    const id = await gateway.template({ name: 'New' });
    expect((await list()).data[0]).toMatchObject({ id, name: 'New', version: 1 });
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { name: 'Renamed', status: 'draft' } });
    expect((await list('?status=draft')).data).toMatchObject([{ id, name: 'Renamed', version: 2 }]);
    // One created and one deleted: the count is unchanged.
    const other = await gateway.template({ name: 'Other' });
    await gateway.call('DELETE', `/v1/templates/${id}`);
    const afterwards = await list();
    expect(afterwards.data[0]).toMatchObject({ id: other });
    expect(afterwards.data.map((entry) => entry.id)).not.toContain(id);
  });

  it('needs one more read once the watch has caught up', async () => {
    wire.release();
    await eventually(async () => {
      const before = reads().length;
      expect((await list()).pagination.total_count).toBe(121);
      return reads().length === before + 1;
    });
  });

  it('reads from the server if it is not allowed to watch templates', async () => {
    const rejecting = await GatewayFixture.forTest({
      intercept: (transport) => ({
        send: async (request) => {
          const isWatch = request.path.endsWith('/templates') && request.query?.['watch'];
          return transport.send(isWatch ? { ...request, path: '/apis/nothing/v1/templates' } : request);
        },
      }),
    });
    const id = await rejecting.template();
    const answer = await rejecting.call('GET', '/v1/templates');
    expect(answer.json()).toMatchObject({ data: [{ id }], pagination: { total_count: 1 } });
  });
});

it('stays within its size bound for the largest template', async () => {
  const description = 'é'.repeat(2000);
  const id = await gateway.template({ name: 'é'.repeat(200), description, html: 'x'.repeat(50_000) });
  const template = await resources().get('acme', id);
  const annotations = { 'trifold.dev/published-version': '1'.repeat(1000), other: 'x'.repeat(100_000) };
  const listed = listedTemplate({ ...template, metadata: { ...template.metadata, annotations } });
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(BOUNDS.listedTemplates.limit.value);
});
