import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_DOCUMENTS } from '../testing/hostile-documents.ts';
import { RendererWorld } from '../testing/renderer-world.ts';

const HELLO = { html: '<p>Hello</p>' };

let world: RendererWorld;
beforeAll(async () => {
  world = await RendererWorld.start({ browsers: 2 });
});
afterAll(() => world.close());

describe('a document that keeps the browser for pictures as long as it may', () => {
  it.each(['png', 'docx'] as const)('lets others be made meanwhile: %s', async (format) => {
    const html = HOSTILE_DOCUMENTS['columns in columns']?.().html ?? '';
    // Whoever comes first has the one browser there is at first.
    await world.render(HELLO, { format });
    const hostile = await world.order({ html }, { deadlineMs: 20_000, format });
    for (const account of ['globex', 'initech', 'globex']) {
      expect(await world.render(HELLO, { account, format })).toMatchObject({ status: 'completed' });
    }
    expect(await world.status(hostile)).toBe('active');
    expect(await world.outcomeOf(hostile)).toMatchObject({
      failure: { code: 'deadline_exceeded', retryable: false },
    });
    expect(await world.render(HELLO, { format })).toMatchObject({ status: 'completed' });
  });
});
