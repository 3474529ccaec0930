import { createHash } from 'node:crypto';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { processIdentity } from '@trifold/platform/process/process-identity.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { documentMetadata, storedResult } from '@trifold/platform/records/documents/finished-document.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { profileNames } from './browser/process/browser-process.ts';
import { groupPids } from './testing/browser/group-pids.ts';
import { noisePng } from './testing/files/png.ts';
import { readPdf } from './testing/files/read-pdf.ts';
import { RendererFixture, type Order } from './testing/renderer-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const HELLO = { html: '<!doctype html><title>Hi {{name}}</title><p>Hello {{name}}</p>' };

describe('Renderer', () => {
  /** For tests that need no special settings and break only the store. */
  let shared: RendererFixture;
  let methods: PropertyDescriptorMap;
  let fixture: RendererFixture;
  beforeAll(async () => {
    shared = await RendererFixture.start();
    methods = Object.getOwnPropertyDescriptors(shared.store);
  });
  afterAll(() => shared.close());
  beforeEach(() => void (fixture = shared));
  afterEach(async () => {
    if (fixture === shared) Object.defineProperties(shared.store, methods);
    else await fixture.close();
  });

  it('renders the other formats, starting an image browser on demand', async () => {
    fixture = await RendererFixture.start({ browsers: 1 });
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    for (const [format, contentType, beginning, browsers] of [
      ['html', 'text/html; charset=utf-8', '<!doctype html>', 1],
      ['png', 'image/png', '\x89PNG\r\n\x1a\n', 2],
      ['docx', docx, 'PK', 2],
    ] as const) {
      const task = await fixture.order(HELLO, { json: { name: 'Łódź' }, format });
      expect(await fixture.outcomeOf(task)).toMatchObject({ status: 'completed', result: { pages: 0 } });
      const file = await fixture.files.read(task.resultKey);
      const info = await fixture.files.head(task.resultKey);
      expect(info).toMatchObject({ contentType, metadata: documentMetadata(task.document) });
      expect(file?.toString('latin1').startsWith(beginning)).toBe(true);
      expect(fixture.renderer.browserPids).toHaveLength(browsers);
    }
  });

  it('renders a document from a template, data and styles, and stores it with its metadata', async () => {
    expect(fixture.renderer.ready).toBe(true);
    const css = 'p { background: #2b5fd9 }';
    const task = await fixture.order({ ...HELLO, css }, { json: { name: 'Łódź' } });
    const outcome = await fixture.outcomeOf(task);
    const file = await fixture.files.read(task.resultKey);
    const info = await fixture.files.head(task.resultKey);

    expect(outcome).toMatchObject({ status: 'completed', result: { pages: 1, size: file?.length } });
    expect(info).toMatchObject({ contentType: 'application/pdf', metadata: documentMetadata(task.document) });
    const pdf = await readPdf(file ?? Buffer.alloc(0));
    expect(pdf.title).toBe('Hi Łódź');
    expect(pdf.pages[0]).toMatchObject({ text: 'Hello Łódź', width: 612, height: 792 });
    expect(pdf.pages[0]?.fillColors).toContain('#2b5fd9');

    if (outcome.status !== 'completed' || !info || !file) throw new Error('not reached');
    const { result } = outcome;
    expect(result.sha256).toBe(createHash('sha256').update(file).digest('hex'));
    expect(Number.isInteger(result.renderTimeMs)).toBe(true);
    expect(Date.parse(result.finishedAt)).toBeGreaterThanOrEqual(Date.parse(result.startedAt));
    // The file's metadata equals the resource, except for the time of the put itself.
    const { storeMs: _, ...timings } = result.timings;
    expect(storedResult(info)).toMatchObject({ ...result, timings });
  });

  it('renders many documents concurrently, each for its own account', async () => {
    const orders = Array.from({ length: 60 }, (_, index) => ({
      account: `account-${index % 5}`,
      json: { name: `number ${index}` },
    }));
    const pdfs = await Promise.all(orders.map((order) => fixture.read(HELLO, order)));
    expect(pdfs.map(({ pages }) => pages[0]?.text)).toEqual(orders.map(({ json }) => `Hello ${json.name}`));
  });

  it('reports the stored result when another renderer has stored the document first', async () => {
    const first = await fixture.order(HELLO, { json: { name: 'first' } });
    const won = await fixture.outcomeOf(first);
    const { resultKey } = first;
    const second = await fixture.order(HELLO, { json: { name: 'second, and longer' }, resultKey });
    const lost = await fixture.outcomeOf(second);
    if (won.status !== 'completed' || lost.status !== 'completed') throw new Error('not completed');
    expect(lost.result).toEqual({ ...won.result, timings: { ...won.result.timings, storeMs: 0 } });
    const pdf = await readPdf((await fixture.files.read(first.resultKey)) ?? Buffer.alloc(0));
    expect(pdf.pages[0]?.text).toBe('Hello first');
  });

  describe('a failed document', () => {
    const blocked = '<img src="https://images.example/a.png">';
    const mergeMs = expect.any(Number) as number;
    const times = { queuedMs: mergeMs, mergeMs };

    it.each([
      ['merging', `{{a}}{{formatDate b}}`, {}, times],
      ['printing', `{{a}}${blocked}`, { options: { pageRanges: '9' } }, { ...times, printMs: mergeMs }],
      [
        'drawing',
        `{{a}}${blocked}<p style="height: 90000px">`,
        { format: 'png' },
        { ...times, printMs: mergeMs },
      ],
    ] as const)(
      'reports the warnings and the steps until it failed: %s',
      async (_step, html, order, timings) => {
        const outcome = await fixture.render({ html }, { json: { b: 'soon' }, ...order });
        const place = { part: 'html', line: 1 };
        expect(outcome).toEqual({
          status: 'failed',
          failure: expect.any(Object),
          progress: {
            startedAt: expect.stringMatching(/Z$/),
            timings,
            warnings: [
              { code: 'binding_missing', message: expect.any(String), name: 'a', ...place, column: 1 },
              ...(html.includes(blocked)
                ? [expect.objectContaining({ code: 'resource_blocked', ...place, column: 16 })]
                : []),
            ],
          },
        });
      },
    );

    const failure = async (content: Partial<RevisionContent>, order: Order = {}) => {
      const outcome = await fixture.render(content, order);
      return outcome.status === 'failed' ? outcome.failure : outcome;
    };

    it('reports margins that leave no space', async () => {
      const options = { margins: { left: '5in', right: '5in' } };
      expect(await failure(HELLO, { options })).toMatchObject({ code: 'options_invalid', retryable: false });
    });

    it('reports missing or unreadable inputs', async () => {
      const lost = await fixture.order(HELLO, { dataKey: 'documents/nowhere' });
      await fixture.files.delete('documents/nowhere');
      const strange = await fixture.order(HELLO, { revisionKey: 'revisions/acme/strange' });
      await fixture.files.put('revisions/acme/broken', '{"html": 5}');
      expect(await fixture.outcomeOf(strange)).toMatchObject({ status: 'completed' });
      const missing = (uid: string, task: Partial<RenderTask>) =>
        failureOfTask({ ...lost, id: `${uid}-1`, resultKey: `documents/x/acme/${uid}`, ...task });
      expect(await missing('m1', { dataKey: 'documents/none' })).toMatchObject({ code: 'data_missing' });
      expect(
        await missing('m2', { revisionKey: 'revisions/acme/none', dataKey: strange.dataKey }),
      ).toMatchObject({
        code: 'revision_missing',
      });
      expect(
        await missing('m3', { revisionKey: 'revisions/acme/broken', dataKey: strange.dataKey }),
      ).toMatchObject({
        code: 'revision_corrupt',
      });
      await fixture.files.put('documents/no-json', 'a secret that is no JSON');
      const attachmentKeys = ['documents/none.attachments'];
      expect(await missing('m5', { attachmentKeys })).toMatchObject({ code: 'data_missing' });
      const document = { ...strange.document, format: 'xml' } as const;
      expect(await missing('m6', { document, dataKey: strange.dataKey })).toMatchObject({
        code: 'data_missing',
        message: expect.stringContaining('as a GenerationJob without keyId'),
      });
      const invalid = await missing('m4', { dataKey: 'documents/no-json' });
      expect(invalid).toMatchObject({ code: 'data_invalid', retryable: false });
      expect(JSON.stringify(invalid) + fixture.log.join('')).not.toContain('a secret');
    });

    const failureOfTask = async (task: RenderTask) => {
      await fixture.queue.add(task);
      const outcome = await fixture.outcomeOf(task);
      return outcome.status === 'failed' ? outcome.failure : outcome;
    };

    it('reports a document over the size limit, and states the limit', async () => {
      fixture = await RendererFixture.start({ browsers: 1, maxOutputBytes: 100_000 });
      const picture = (size: number) => ({ html: `<img src="data:image/png;base64,${noisePng(size)}">` });
      // Slightly over the limit, the file is checked; far over it, the browser is stopped.
      for (const size of [190, 600]) {
        expect(await failure(picture(size))).toEqual({
          code: 'output_too_large',
          message: 'the document is larger than the limit of 100000 bytes',
          retryable: false,
        });
      }
      expect(await fixture.read(HELLO, { json: { name: 'after' } })).toMatchObject({
        pages: [{ text: 'Hello after' }],
      });
    });

    it.each([
      ['unavailable', true],
      ['corrupt', false],
      ['no_space', true],
    ] as const)('reports a store that is %s', async (code, retryable) => {
      fixture.store.put = async () => {
        throw new ObjectStoreError(code, 'the reason, for the log');
      };
      expect(await failure(HELLO)).toMatchObject({ code: `store_${code}`, retryable });
      expect(fixture.log.join('')).toContain('the reason, for the log');
    });

    it('reports an unexpected error without its details', async () => {
      fixture.store.put = async () => {
        throw new Error('an internal detail');
      };
      const unexpected = await failure(HELLO);
      expect(unexpected).toMatchObject({ code: 'renderer_error', retryable: true });
      expect(JSON.stringify(unexpected)).not.toContain('internal detail');
      expect(fixture.log.join('')).toContain('an internal detail');
    });
  });

  it("a task's deadline ends its merge", async () => {
    const html = `${'{{#each @root.a}}'.repeat(6)}{{#if x}}y{{/if}}${'{{/each}}'.repeat(6)}`;
    const data = { a: Array.from({ length: 200 }, () => 1) };
    const outcome = await fixture.render({ html }, { json: data, deadlineMs: 200 });
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'deadline_exceeded' } });
  });

  it('does not count the wait for a busy browser against the deadline', async () => {
    const clock = new FakeClock();
    const scheduled = vi.spyOn(clock, 'schedule');
    fixture = await RendererFixture.start({ browsers: 1, mergeTimeoutMs: 60_000 }, clock);
    const endless = { html: endlessDocument() };
    const tasks = [await fixture.order(endless), await fixture.order(endless, { account: 'other' })];
    const failed = async () => {
      const states = await Promise.all(tasks.map(({ id }) => fixture.queue.state(id)));
      return states.filter(({ status }) => status === 'failed');
    };
    // Both need the only browser, and may wait for it for up to twice their deadline.
    await eventually(() => {
      expect(scheduled.mock.calls.filter(([delayMs]) => delayMs === 120_000)).toHaveLength(2);
    });
    await clock.passUntil(1000, async () => expect(await failed()).not.toEqual([]));
    // The browser is replaced in the meantime, which takes no time on this clock.
    clock.advance(30_000);
    expect(await failed()).toMatchObject([{ failure: { code: 'deadline_exceeded' } }]);
    expect(fixture.renderer.stuck()).toBeUndefined();
  });

  it('records metrics of its tasks and stages', async () => {
    await fixture.render(HELLO);
    await fixture.render({ html: '{{#if' });
    const text = await fixture.metrics.render();
    expect(text).toMatch(/trifold_renderer_tasks_total\{outcome="completed"\} [1-9]/);
    expect(text).toMatch(/trifold_renderer_tasks_total\{outcome="template_invalid"\} [1-9]/);
    expect(text).toMatch(/trifold_renderer_stage_seconds_count\{stage="print"\} [1-9]/);
  });

  describe('Renderer.stop', () => {
    /** Profiles of this process, except the shared renderer's browsers' profiles. */
    const profiles = () => profileNames().filter((name) => name.startsWith(ours) && !others.has(name));
    const ours = `${processIdentity()}-`;
    const others = new Set<string>();
    beforeAll(() => {
      for (const name of profiles()) others.add(name);
    });

    it('finishes its active tasks and leaves no processes or files behind', async () => {
      fixture = await RendererFixture.start({ browsers: 1 });
      const pids = fixture.renderer.browserPids;
      expect(profiles()).toHaveLength(pids.length);
      const tasks = await Promise.all(
        [1, 2].map((n) => fixture.order({ html: `<p>${'text '.repeat(20_000)}{{n}}` }, { json: { n } })),
      );
      await eventually(async () =>
        expect((await fixture.queue.state(tasks[1]?.id ?? '')).status).not.toBe('waiting'),
      );
      await fixture.renderer.stop(60_000);
      expect(fixture.renderer.ready).toBe(false);
      for (const task of tasks) expect((await fixture.queue.state(task.id)).status).toBe('completed');
      for (const pid of pids) await eventually(() => expect(groupPids(pid)).toEqual([]));
      expect(profiles()).toEqual([]);
    });

    it('returns unfinished tasks to the queue', async () => {
      fixture = await RendererFixture.start({ browsers: 1, mergeTimeoutMs: 60_000 });
      const task = await fixture.order({ html: endlessDocument() });
      await eventually(async () => expect((await fixture.queue.state(task.id)).status).toBe('active'));
      await fixture.renderer.stop(1);
      expect(await fixture.queue.state(task.id)).toEqual({ status: 'waiting' });
      expect(await fixture.files.head(task.resultKey)).toBeUndefined();
      expect(profiles()).toEqual([]);
    });

    it('can be stopped while it is starting', async () => {
      fixture = new RendererFixture();
      const starting = fixture.renderer.start();
      starting.catch(() => undefined);
      await fixture.renderer.stop(0);
      await expect(starting).rejects.toThrow('stopped while it was starting');
      expect(fixture.renderer.ready).toBe(false);
      expect(profiles()).toEqual([]);
    });
  });
});

/** Returns a document that keeps a browser busy for many seconds. */
function endlessDocument(): string {
  const row = `<td>${'<div style="float:left;width:1%">x</div>'.repeat(20)}</td>`;
  return `<table style="columns: 3">${`<tr>${row.repeat(10)}</tr>`.repeat(1500)}</table>`;
}
