import { TEMPLATE, type Template } from '@trifold/crds';
import { METADATA_FORM, type ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RevisionTable } from '../store/revision-table.ts';
import { openTestPlane, templateDraft, type TestPlane } from '../testing/plane.ts';

const ODD = { x: '}],\\"é\u2028', empty: '' };
const SMALL = ['a', 'b', 'c', 'd', 'e'];

describe('A list request', () => {
  let test: TestPlane;
  let templates: ResourceClient<Template>;
  const names = (items: readonly Template[]) => items.map((item) => item.metadata.name);

  beforeEach(async () => {
    test = await openTestPlane();
    templates = test.client.resource(TEMPLATE);
    for (const name of SMALL)
      await templates.create(templateDraft(name, { labels: { odd: String('ace'.includes(name)) } }));
  });
  afterEach(() => test.plane.close());

  /** Creates templates of about 100 KB each. */
  async function createLarge(count: number): Promise<string[]> {
    const created = Array.from({ length: count }, (_, index) => `m-${String(index).padStart(3, '0')}`);
    for (const name of created)
      await templates.create(templateDraft(name, { annotations: ODD }, { html: 'x'.repeat(100_000) }));
    return created;
  }

  it.each(['application/json', METADATA_FORM, 'application/json;as=Table;g=meta.k8s.io;v=v1'])(
    'streams large objects one by one as %s, as one document, in order',
    async (accept) => {
      const large = await createLarge(12);
      const path = templates.path();
      const response = await test.plane.transport.send({ method: 'GET', path, headers: { accept } });
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body) pieces.push(piece);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(110_000);
      const { items, rows } = JSON.parse(Buffer.concat(pieces).toString()) as {
        items?: Template[];
        rows?: { object: Template }[];
      };
      const listed = names(items ?? rows?.map(({ object }) => object) ?? []);
      expect(listed).toEqual([...SMALL, ...large]);
    },
  );

  it.each([undefined, 'odd!=none'])('lists only the metadata with the selector %s', async (labelSelector) => {
    const selection = { limit: 500, ...(labelSelector && { labelSelector }) };
    const { items } = await templates.list(selection);
    const metadata = await templates.metadataOnly().list(selection);
    expect(metadata.items.map((item) => item.metadata)).toEqual(items.map((item) => item.metadata));
  });

  it('reads the spec, which can be a megabyte, only for objects that match', async () => {
    const whole = ['value', 'bytes'] as const;
    const reads = whole.map((name) => vi.spyOn(RevisionTable.prototype, name));
    const { items } = await templates.list({ labelSelector: 'odd=false', fieldSelector: 'metadata.name!=b' });
    expect(names(items)).toEqual(['d']);
    expect(reads.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
    for (const read of reads) read.mockRestore();
    expect(names((await templates.list({ fieldSelector: 'spec.state!=active' })).items)).toEqual([]);
  });

  it('never returns objects of another kind for a continue token', async () => {
    const rv = Number((await templates.list()).resourceVersion);
    const token = { v: 'meta.k8s.io/v1', rv, start: '../../core/secrets/' };
    const start = Buffer.from(JSON.stringify(token)).toString('base64url');
    const { items } = await templates.list({ limit: 50, continue: start });
    expect(items.every((item) => item.metadata.name.length === 1)).toBe(true);
  });
});
