import { readdirSync } from 'node:fs';
import type { PreviewOutcome, PreviewTask } from '@trifold/platform/previews/port.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { describe, expect, it } from 'vitest';
import { DocxFile } from '../testing/files/read-docx.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';
import { limitedPreviews } from '../renderer.ts';

const task = (given: Partial<PreviewTask> = {}): PreviewTask => ({
  id: 'req-1',
  account: 'acme',
  format: 'pdf',
  template: { displayName: 'Preview', html: '<p>Hello {{name}}</p>' },
  data: Buffer.from(JSON.stringify({ name: 'Ada' })),
  options: {},
  createdAt: '2026-11-20T01:02:03.456Z',
  deadlineMs: 30_000,
  ...given,
});

describe('Previews', () => {
  const fixture = RendererFixture.forSuite({ browsers: 1 });
  const render = async (given?: Partial<PreviewTask>, signal = new AbortController().signal) =>
    fixture.renderer.previews.render(task(given), signal);
  const fileOf = (outcome: PreviewOutcome) => {
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    return outcome.file;
  };

  it('carry the watermark PREVIEW on every page of a PDF', async () => {
    const html = '<p>one {{name}}</p><p style="break-before: page">two</p>';
    const file = fileOf(await render({ template: { displayName: 'Letter', html } }));
    const { pages, title } = await readPdf(file);
    expect(title).toBe('Letter');
    expect(pages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^one Ada ?PREVIEW$/),
      expect.stringMatching(/^two ?PREVIEW$/),
    ]);
  });

  it('carry the watermark PREVIEW in the other formats', async () => {
    const html = fileOf(await render({ format: 'html' })).toString();
    expect(html).toContain('content: "PREVIEW"');
    expect(html).toContain('Hello Ada');
    const docx = new DocxFile(fileOf(await render({ format: 'docx' })));
    expect(docx.parts.get('word/header1.xml')?.toString()).toContain('PREVIEW');
    const png = fileOf(await render({ format: 'png' }));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
  });

  it('store nothing', async () => {
    fileOf(await render());
    const entries = readdirSync(fixture.root, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('leave the browser when they are cancelled', async () => {
    await render();
    const [pid = 0] = fixture.renderer.browserPids;
    process.kill(-pid, 'SIGSTOP');
    const controller = new AbortController();
    const cancelled = render({}, controller.signal);
    // The only merge process takes this one later, so the browser already has the first one.
    await render({ format: 'html' });
    const reason = new Error('a newer one came');
    controller.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    process.kill(-pid, 'SIGCONT');
    const { pages } = await readPdf(fileOf(await render()));
    expect(pages[0]?.text).toMatch(/^Hello Ada ?PREVIEW$/);
  });
});

it('Previews with a dedicated browser do not wait for a document that occupies every other browser', async () => {
  const fixture = await RendererFixture.start({ browsers: 1 }, systemClock, true);
  const [pid = 0] = fixture.renderer.browserPids;
  try {
    process.kill(-pid, 'SIGSTOP');
    const document = await fixture.order({ html: '<p>waits</p>' });
    await eventually(async () => (await fixture.status(document)) === 'active');
    const { signal } = new AbortController();
    expect(await fixture.renderer.previews.render(task(), signal)).toMatchObject({ status: 'completed' });
    expect(await fixture.status(document)).toBe('active');
  } finally {
    process.kill(-pid, 'SIGCONT');
    await fixture.close();
  }
});

it('limitedPreviews returns busy above the limit, except to one account without previews, and accepts another preview when one ends', async () => {
  const ends: (() => void)[] = [];
  const done: PreviewOutcome = {
    status: 'completed',
    file: Buffer.alloc(0),
    warnings: [],
    timings: { mergeMs: 0, printMs: 0 },
  };
  const previews = limitedPreviews(
    async () => new Promise<PreviewOutcome>((resolve) => ends.push(() => resolve(done))),
    2,
  );
  const { signal } = new AbortController();
  const first = previews.render(task(), signal);
  const second = previews.render(task(), signal);
  expect(await previews.render(task(), signal)).toEqual({ status: 'busy' });
  const other = previews.render({ ...task(), account: 'other' }, signal);
  expect(await previews.render({ ...task(), account: 'third' }, signal)).toEqual({ status: 'busy' });
  ends.pop()?.();
  expect(await other).toBe(done);
  ends[0]?.();
  expect(await first).toBe(done);
  const third = previews.render(task(), signal);
  ends.slice(1).forEach((end) => end());
  expect(await Promise.all([second, third])).toEqual([done, done]);
});
