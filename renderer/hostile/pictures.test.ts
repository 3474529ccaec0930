import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentPage } from '../browser/page/document-page.ts';
import { HOSTILE_DOCUMENTS } from '../testing/hostile-documents.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const HELLO = { html: '<p>Hello</p>' };
const DEADLINE_MS = 60_000;

const clock = new FakeClock();
const fixture = RendererFixture.forSuite({ browsers: 2, mergeTimeoutMs: 60_000 }, clock);

describe('a document that occupies the image browser until its deadline', () => {
  it.each([
    ['png', 'capture'],
    ['docx', 'snapshot'],
  ] as const)('does not delay other documents: %s', async (format, way) => {
    const html = HOSTILE_DOCUMENTS['columns in columns']?.().html ?? '';
    // The first document gets the only initial browser.
    await fixture.render(HELLO, { format });
    const draw = vi.spyOn(DocumentPage.prototype, way);
    onTestFinished(() => draw.mockRestore());
    const hostile = await fixture.order({ html }, { deadlineMs: DEADLINE_MS, format });
    await eventually(() => {
      expect(draw.mock.calls.map(([given]) => given.includes(html))).toContain(true);
    });
    const accounts = ['globex', 'initech', 'globex'];
    const others = await Promise.all(accounts.map((account) => fixture.order(HELLO, { account, format })));
    // Another browser starts after documents have waited for a while: two for images alongside two that print.
    const aWhileLater = () => {
      clock.advance(500);
      expect(fixture.renderer.browserPids).toHaveLength(4);
    };
    await eventually(aWhileLater, { intervalMs: 500 });
    for (const other of others) {
      expect(await fixture.outcomeOf(other)).toMatchObject({ status: 'completed' });
    }
    expect(await fixture.status(hostile)).toBe('active');
    clock.advance(DEADLINE_MS);
    expect(await fixture.outcomeOf(hostile)).toMatchObject({
      failure: { code: 'deadline_exceeded', retryable: false },
    });
    expect(await fixture.render(HELLO, { format })).toMatchObject({ status: 'completed' });
  });
});
