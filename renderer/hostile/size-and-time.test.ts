import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentPage } from '../browser/page/document-page.ts';
import { emptyPng, HOSTILE_DOCUMENTS, IMAGE_BOMBS } from '../testing/hostile-documents.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';

const HELLO = { html: '<p>Hello</p>' };

const DEADLINE_MS = 30_000;
const EXCEEDED = {
  status: 'failed',
  failure: {
    code: 'deadline_exceeded',
    message: 'rendering took longer than the limit of 30 s',
    retryable: false,
  },
};

const clock = new FakeClock();
// Allows enough time to merge, so that these documents reach a browser.
const settings = { browsers: 2, mergeTimeoutMs: 60_000, maxMergedBytes: 64 * 2 ** 20 };
const fixture = RendererFixture.forSuite(settings, clock);

/**
 * Returns the outcome of a document at its deadline. Before the deadline, another account's documents are printed in
 * parallel and must not wait for it; after the deadline, a document from the same account is printed.
 */
const atDeadline = async (html: string) => {
  const hostile = await fixture.order({ html }, { deadlineMs: DEADLINE_MS });
  // The more documents are printed, the further the hostile document progresses.
  for (let number = 0; number < 10; number += 1) {
    const ordinary = await fixture.read(HELLO, { account: 'globex' });
    expect(ordinary.pages[0]?.text).toBe('Hello');
  }
  expect(await fixture.status(hostile)).toBe('active');
  clock.advance(DEADLINE_MS);
  const outcome = await fixture.outcomeOf(hostile);
  expect((await fixture.read(HELLO)).pages[0]?.text).toBe('Hello');
  return outcome;
};

describe('a document that takes too long reaches its deadline', () => {
  it.each(
    [
      '20,000 pages',
      'a table that is laid out for ever',
      'grids in grids',
      'tables in tables',
      'columns in columns',
      'blurred shadows',
      'an svg of filters',
      'counters and quotes',
    ].map((name) => [name, HOSTILE_DOCUMENTS[name]] as const),
  )('with %s, while other documents print before and after the deadline', async (_, make) => {
    expect(await atDeadline(make?.().html ?? '')).toMatchObject(EXCEEDED);
  });
});

describe('a document that is too large', () => {
  it('with 50 MB of HTML reaches its deadline or the merged size limit', async () => {
    expect(await atDeadline(`<p>${'<b>text</b> '.repeat(4_300_000)}`)).toMatchObject(EXCEEDED);
    const task = await fixture.order(
      { html: `<p>${'{{{text}}}'.repeat(70)}` },
      { json: { text: 'x'.repeat(2 ** 20) } },
    );
    expect(await fixture.outcomeOf(task)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'merge_too_large',
        message: `the merged HTML exceeds the limit of ${64 * 2 ** 20} bytes`,
        retryable: false,
      },
    });
  });

  it.each(Object.entries(IMAGE_BOMBS))(
    'with oversized images prints or reaches a limit: %s',
    async (_, make) => {
      const own = await RendererFixture.start({ browsers: 1 });
      const outcome = await own.render({ html: make().html }, { deadlineMs: 3000 });
      if (outcome.status === 'completed') expect(outcome.result.pages).toBeGreaterThan(0);
      else
        expect(outcome.failure).toMatchObject({
          retryable: false,
          message: expect.stringMatching(/limit of/) as string,
        });
      expect((await own.read(HELLO)).pages[0]?.text).toBe('Hello');
      await own.close();
    },
  );
});

describe('a document with large images', () => {
  const image = `<img width="99" src="data:image/png;base64,${emptyPng(20_000)}">`;

  it.each([
    ['pdf', { html: image }, {}],
    ['png', { html: '<p>x', css: `p{background:url(data:image/png;base64,${emptyPng(20_000)})}` }, {}],
    ['docx', { html: '{{{image}}}' }, {}],
    ['pdf', HELLO, { header: { enabled: true, content: image } }],
  ] as const)('fails before a browser gets it: %s', async (format, content, options) => {
    const shown = (['print', 'capture', 'snapshot'] as const).map((way) =>
      vi.spyOn(DocumentPage.prototype, way),
    );
    onTestFinished(() => shown.forEach((spy) => spy.mockRestore()));
    expect(await fixture.render(content, { format, options, json: { image } })).toMatchObject({
      status: 'failed',
      failure: {
        code: 'image_too_large',
        message:
          'with embedded image 1 (png, 20000 × 20000 pixels), the images in the document total 400 megapixels, ' +
          'more than the limit of 200: use smaller images',
        retryable: false,
      },
    });
    expect(shown.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it.each([
    ['pdf', 'print'],
    ['png', 'capture'],
    ['docx', 'snapshot'],
  ] as const)('leaves fewer pixels for loaded images: %s', async (format, way) => {
    const show = vi.spyOn(DocumentPage.prototype, way);
    onTestFinished(() => show.mockRestore());
    const html = `<img src="data:image/png;base64,${emptyPng(10)}">`;
    const header = { enabled: true, content: `<img src="data:image/png;base64,${emptyPng(20)}">` };
    expect(await fixture.render({ html }, { format, options: { header } })).toMatchObject({
      status: 'completed',
    });
    expect(show.mock.calls.map(([, , imagePixels]) => imagePixels)).toContain(500);
  });

  it('completes as an HTML file, which no service browser shows', async () => {
    expect(await fixture.render({ html: image }, { format: 'html' })).toMatchObject({ status: 'completed' });
  });

  it('is printed below the limit: an album of five 24-megapixel photos', async () => {
    const photos = [1, 2, 3, 4, 5].map(
      (number) => `<img width="99" src="data:image/png;n=${number};base64,${emptyPng(4900)}">`,
    );
    const { pages } = await fixture.read({ html: photos.join('') });
    expect(pages[0]?.images).toBe(5);
  });

  it("reaches its browser's memory limit, even with shared memory", async () => {
    const small = await RendererFixture.start({ browsers: 1, browserMemoryBytes: 200 * 2 ** 20 });
    try {
      // The browser for images decodes into shared memory.
      const html = `<img width="99" src="data:image/png;base64,${emptyPng(14_000)}">`;
      expect(await small.render({ html }, { format: 'png' })).toMatchObject({
        failure: { code: 'output_too_large' },
      });
    } finally {
      await small.close();
    }
  });
});

it("a document that fills its browser's memory fails at the limit before the machine runs out of memory", async () => {
  const small = await RendererFixture.start({ browsers: 1, browserMemoryBytes: 150 * 2 ** 20 });
  try {
    const html = HOSTILE_DOCUMENTS['an svg that uses itself a billion times']?.().html ?? '';
    expect(await small.render({ html })).toMatchObject({
      status: 'failed',
      failure: {
        code: 'output_too_large',
        message: `printing the document takes more browser memory than the limit of ${300 * 2 ** 20} bytes`,
        retryable: false,
      },
    });
    expect((await small.read(HELLO)).pages[0]?.text).toBe('Hello');
  } finally {
    await small.close();
  }
});
