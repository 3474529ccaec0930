import { GENERATION_JOB } from '@trifold/crds';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Api, expectError, type Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';
import {
  ClusterProcesses,
  previewAddress,
  whyNoClusterProcesses,
} from '../support/processes/cluster-processes.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

const PATH = '/v1/templates/preview';
const LETTER = { html: '<p>Dear {{name}}</p>', data: { name: 'Ada' } };
const TOKEN = 'the-token-of-the-processes-of-this-suite';
/** Merging takes longer than the 30 s of a preview; the renderers allow it. */
const ENDLESS = {
  html: '{{#each @root.a}}'.repeat(6) + '{{/each}}'.repeat(6),
  data: { a: Array.from({ length: 200 }, (_, index) => index) },
};

describe.skipIf(missing)('Previews in separate processes', () => {
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start({
      controllers: 1,
      renderers: 2,
      previews: true,
      environment: {
        TRIFOLD_PREVIEW_TOKEN: TOKEN,
        TRIFOLD_BROWSERS: '2',
        TRIFOLD_MERGE_TIMEOUT: '5m',
      },
    });
  });
  afterAll(() => cluster?.stop());
  afterEach((context) => {
    if (context.task.result?.state !== 'fail') return;
    console.error(cluster.processes.map(({ output }) => output).join('\n'));
  });

  const preview = (body: object = LETTER, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    cluster.live.send('POST', PATH, { body, headers, ...(signal && { signal }) });
  const textOfPreview = async (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    return textOf(answer.bytes);
  };
  /** Asks a renderer for a preview with a message that only a free one reads. */
  const probe = async (address: string, token = TOKEN) =>
    (
      await fetch(`http://${address}/previews`, {
        method: 'POST',
        body: '{}\n',
        headers: { authorization: `Bearer ${token}`, 'trifold-account': 'default' },
      })
    ).status;
  const statuses = async () =>
    Promise.all(cluster.renderers.map(async (renderer) => probe(await previewAddress(renderer))));

  it('are files with the watermark PREVIEW, and write nothing to the API server', async () => {
    const before = await cluster.writes();
    expect(await textOfPreview(await preview())).toMatch(/^Dear Ada ?PREVIEW$/);
    const png = await preview({ ...LETTER, format: 'png' });
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    const { items } = await cluster.kubernetes.resource(GENERATION_JOB).list({});
    expect(items).toEqual([]);
    const jobs = [...(await cluster.writes())].filter(([what]) => what.includes('generationjobs'));
    expect(jobs).toEqual([...before].filter(([what]) => what.includes('generationjobs')));
  });

  it('take the free renderer while another one is busy, and end when the client goes away', async () => {
    const gone = new AbortController();
    const endless = preview(ENDLESS, {}, gone.signal).catch((error: unknown) => error);
    await eventually(async () => (await statuses()).includes(503));
    for (let count = 0; count < 3; count += 1) {
      expect(await textOfPreview(await preview())).toContain('Dear Ada');
    }
    expect(new Set(await statuses())).toEqual(new Set([400, 503]));
    gone.abort();
    await endless;
    await eventually(async () => (await statuses()).every((status) => status === 400));
  });

  it('get 503 with Retry-After while every renderer is busy, and a newer one of a session takes over', async () => {
    const first = preview(ENDLESS, { 'preview-session': 'one' });
    const second = preview(ENDLESS, { 'preview-session': 'two' });
    await eventually(async () => (await statuses()).every((status) => status === 503));
    const third = await preview();
    expectError(third, 503, 'unavailable');
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    const newer = await preview(LETTER, { 'preview-session': 'one' });
    expect(await textOfPreview(newer)).toContain('Dear Ada');
    expectError(await first, 409, 'preview_superseded');
    await preview(LETTER, { 'preview-session': 'two' });
    expectError(await second, 409, 'preview_superseded');
  });

  it('need the token at the renderer', async () => {
    const [renderer] = cluster.renderers;
    const address = await previewAddress(renderer!);
    expect([await probe(address, 'wrong'), await probe(address)]).toEqual([401, 400]);
    const other = await cluster.addPreviewingGateway({ TRIFOLD_PREVIEW_TOKEN: TOKEN.toUpperCase() });
    const api = new Api(String((await other.says('listening'))['address']), cluster.live.key);
    expectError(await api.post(PATH, LETTER), 503, 'unavailable');
    expect(await other.says('a renderer rejected a preview')).toMatchObject({ statusCode: 401 });
    await other.stop();
  });

  it('continue on another renderer when one stops, and get 503 without renderers', async () => {
    const [first, second] = cluster.renderers;
    await first!.stop();
    expect(await textOfPreview(await preview())).toContain('Dear Ada');
    await second!.stop();
    const answer = await preview();
    expectError(answer, 503, 'unavailable');
    expect(answer.json()['message']).toContain('no renderer is available');
  });
});
