import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_DOCUMENTS, IMAGE_BOMBS } from '../testing/hostile-documents.ts';
import { RendererWorld } from '../testing/renderer-world.ts';

const HELLO = { html: '<p>Hello</p>' };

let world: RendererWorld;
beforeAll(async () => {
  // So much time to merge that what is tried here comes as far as a browser.
  world = await RendererWorld.start({ browsers: 2, mergeTimeoutMs: 60_000, maxMergedBytes: 64 * 2 ** 20 });
});
afterAll(() => world.close());

/** Orders a document with a deadline, and one of another account beside it, which must not have to wait for it. */
const beside = async (html: string, order: { deadlineMs: number; format?: 'png' }) => {
  const hostile = await world.order({ html }, order);
  const ordinary = await world.read(HELLO, { account: 'globex' });
  expect(ordinary.pages[0]?.text).toBe('Hello');
  return { outcome: await world.outcomeOf(hostile) };
};

describe('a document that takes too long meets its deadline', () => {
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
  )('%s, while another is printed beside it, and after it', async (_, make) => {
    const { outcome } = await beside(make?.().html ?? '', { deadlineMs: 1500 });
    expect(outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'deadline_exceeded',
        message: 'rendering took longer than the limit of 1.5 s',
        retryable: false,
      },
    });
    expect((await world.read(HELLO)).pages[0]?.text).toBe('Hello');
  });

  it('also as a picture', async () => {
    const html = HOSTILE_DOCUMENTS['a table that is laid out for ever']?.().html ?? '';
    const { outcome } = await beside(html, { deadlineMs: 3000, format: 'png' });
    expect(outcome).toMatchObject({ failure: { code: 'deadline_exceeded', retryable: false } });
  });
});

describe('a document that is too large', () => {
  it('of 50 MB of html meets the deadline, or the limit of what may come out of a merge', async () => {
    const { outcome } = await beside(`<p>${'<b>text</b> '.repeat(4_300_000)}`, { deadlineMs: 2000 });
    expect(outcome).toMatchObject({ failure: { code: 'deadline_exceeded', retryable: false } });
    const task = await world.order(
      { html: `<p>${'{{{text}}}'.repeat(70)}` },
      { json: { text: 'x'.repeat(2 ** 20) } },
    );
    expect(await world.outcomeOf(task)).toEqual({
      status: 'failed',
      failure: {
        code: 'merge_too_large',
        message: `the merged document is larger than the limit of ${64 * 2 ** 20} bytes of html`,
        retryable: false,
      },
    });
  });

  it.each(Object.entries(IMAGE_BOMBS))(
    'in its pictures is printed, or meets a limit: %s',
    async (_, make) => {
      const { outcome } = await beside(make().html, { deadlineMs: 3000 });
      if (outcome.status === 'failed') {
        expect(outcome.failure.retryable).toBe(false);
        expect(outcome.failure.message).toMatch(/limit of/);
      }
      expect((await world.read(HELLO)).pages[0]?.text).toBe('Hello');
    },
  );
});

it('a document that fills the memory of its browser meets a limit of its own, before the machine does', async () => {
  const small = await RendererWorld.start({ browsers: 1, browserMemoryBytes: 150 * 2 ** 20 });
  try {
    const html = HOSTILE_DOCUMENTS['an svg that uses itself a billion times']?.().html ?? '';
    expect(await small.render({ html })).toEqual({
      status: 'failed',
      failure: {
        code: 'output_too_large',
        message: `printing the document takes more than the limit of ${300 * 2 ** 20} bytes of the browser's memory`,
        retryable: false,
      },
    });
    expect((await small.read(HELLO)).pages[0]?.text).toBe('Hello');
  } finally {
    await small.close();
  }
});
