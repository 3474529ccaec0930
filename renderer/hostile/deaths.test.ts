import { readdirSync, readFileSync } from 'node:fs';
import { processIdentity } from '@trifold/platform/process/process-identity.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentPage } from '../browser/page/document-page.ts';
import { profileNames } from '../browser/process/browser-process.ts';
import { groupPids } from '../testing/browser/group-pids.ts';
import { HOSTILE_DOCUMENTS } from '../testing/hostile-documents.ts';
import { RendererFixture, type Order } from '../testing/renderer-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** Set TRIFOLD_TEST_DEATHS for more. */
const DEATHS = Number(process.env['TRIFOLD_TEST_DEATHS'] ?? 50);
const HELLO = { html: '<p>Hello</p>' };

/** This process's zombie children. */
const zombies = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });
const temporaryFiles = () => profileNames().filter((name) => name.startsWith(`${processIdentity()}-`));

/** Kills a browser that may already be gone. */
const end = (pid: number) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
};

describe('a browser that crashes while printing a document', () => {
  const fixture = RendererFixture.forSuite({ browsers: 2 });
  const pids = new Set<number>();

  const kill = async () => {
    const running = await eventually(() => {
      expect(fixture.renderer.browserPids).toHaveLength(2);
      return fixture.renderer.browserPids;
    });
    for (const pid of running) {
      pids.add(pid);
      end(pid);
    }
  };

  it(
    `fails the document as retryable and leaves no process or file behind after ${DEATHS} crashes`,
    async () => {
      const html = `<p>${'long text '.repeat(150_000)}</p>`;
      let failed = 0;
      for (let death = 0; death < DEATHS; death += 2) {
        const tasks = [await fixture.order({ html }), await fixture.order({ html })];
        for (const task of tasks) {
          await eventually(async () => expect(await fixture.status(task)).not.toBe('waiting'));
        }
        await kill();
        const outcomes = await Promise.all(tasks.map((task) => fixture.outcomeOf(task)));
        // A browser killed before it receives the document is replaced without a failure.
        const failures = outcomes.flatMap((outcome) =>
          outcome.status === 'failed' ? [outcome.failure] : [],
        );
        failed += failures.length;
        for (const failure of failures)
          expect(failure).toEqual({
            code: 'browser_crashed',
            message: 'the browser crashed while it printed the document',
            retryable: true,
          });
      }
      expect(failed).toBeGreaterThan(0);
      expect((await fixture.read(HELLO)).pages[0]?.text).toBe('Hello');
      expect(pids.size).toBeGreaterThan(DEATHS / 2);
      for (const pid of pids) await eventually(() => expect(groupPids(pid)).toEqual([]));
      await eventually(() => expect(zombies()).toEqual([]));
      // The last browsers may still be starting.
      await eventually(() => {
        expect(fixture.renderer.browserPids).toHaveLength(2);
        expect(temporaryFiles()).toHaveLength(2);
      });
    },
    DEATHS * 3000,
  );
});

describe('a browser that hangs while printing a document', () => {
  /** Adds a task with a slow document and suspends its browser once it has the document. */
  const hang = async (fixture: RendererFixture, order: Order) => {
    const html = HOSTILE_DOCUMENTS['a table that is laid out for ever']?.().html ?? '';
    const print = vi.spyOn(DocumentPage.prototype, 'print');
    const task = await fixture.order({ html }, order);
    await eventually(() => expect(print).toHaveBeenCalled()).finally(() => print.mockRestore());
    const [pid = 0] = fixture.renderer.browserPids;
    process.kill(-pid, 'SIGSTOP');
    return async (failure: object) => {
      expect(await fixture.outcomeOf(task)).toMatchObject({ failure });
      expect((await fixture.read(HELLO)).pages[0]?.text).toBe('Hello');
      await eventually(() => expect(groupPids(pid)).toEqual([]));
    };
  };

  it('is killed, and the document fails as retryable, or at its deadline if that comes first', async () => {
    const start = async () => {
      const fixture = await RendererFixture.start({ browsers: 1, mergeTimeoutMs: 60_000 });
      onTestFinished(() => fixture.close());
      return fixture;
    };
    const [one, other] = [await start(), await start()];
    // Both wait concurrently. The second one prints before the first browser is replaced.
    const [hung, late] = [await hang(one, {}), await hang(other, { deadlineMs: 10_000 })];
    await Promise.all([
      hung({ code: 'browser_hung', retryable: true }),
      late({ code: 'deadline_exceeded', retryable: false }),
    ]);
  });
});
