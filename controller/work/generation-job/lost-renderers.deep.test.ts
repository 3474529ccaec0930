import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isFinished, type GenerationJob } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { TASK_KEYS } from '@trifold/platform/render-queue/conformance/sample-tasks.ts';
import { loadRedisConfig } from '@trifold/platform/redis/redis-config.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { OwnedProcess } from '@trifold/test-support/processes/owned-process.ts';
import { RedisServer, whyNoRedis } from '@trifold/test-support/processes/redis.ts';
import { ControllerFixture } from '../../testing/controller-fixture.ts';

const PROGRAM = fileURLToPath(new URL('../../testing/renderer-process.ts', import.meta.url));
/** Long enough for a process on a busy machine to renew its locks. */
const LOCK_MS = 5000;
const DEADLINE_MS = 90_000;
const INNOCENT = 20;

const missing = whyNoRedis();
if (missing) console.warn(`the tests of lost renderers are skipped: ${missing}`);

let fixture: ControllerFixture;
let redis: RedisServer;

/** A task that a renderer began, its mode, and the number of other tasks in progress. */
interface Begun {
  readonly id: string;
  readonly how: string;
  readonly others: number;
}

/** A renderer that is restarted each time it is killed, as in Kubernetes. */
class RestartedRenderer {
  readonly #args: readonly string[];
  readonly #ended: string[] = [];
  #running: OwnedProcess;

  constructor(args: readonly string[]) {
    this.#args = args;
    this.#running = this.#start();
  }

  /** Number of times the renderer was killed. */
  get deaths(): number {
    return this.#ended.length;
  }

  /** The tasks it began across all restarts. */
  get begun(): Begun[] {
    const text = [...this.#ended, this.#running.stdout].join('\n');
    return Array.from(
      text.matchAll(/^begins (\S+) (\w+) with (\d+)$/gm),
      ([, id = '', how = '', others]) => ({
        id,
        how,
        others: Number(others),
      }),
    );
  }

  restartIfDead(): void {
    if (!this.#running.failure) return;
    this.#ended.push(this.#running.stdout);
    this.#running = this.#start();
  }

  stop(): Promise<void> {
    return this.#running.kill();
  }

  #start(): OwnedProcess {
    return new OwnedProcess('renderer', process.execPath, [PROGRAM, ...this.#args]);
  }
}

/** Starts a controller with its own queue in the test's Redis. */
async function startController(prefix: string) {
  const config = loadRedisConfig({ TRIFOLD_REDIS_URL: redis.url, TRIFOLD_REDIS_PREFIX: prefix });
  const logger = createLogger({ level: 'silent', name: 'test' });
  const queue = new BullMqQueue({ redis: config, taskKeys: TASK_KEYS, logger, lockMs: LOCK_MS });
  onTestFinished(() => queue.close());
  return fixture.boot({ wrap: { queue: () => queue } });
}

const statusOf = async ({ metadata }: GenerationJob) => (await fixture.find(metadata.name))?.status;

describe.skipIf(missing)('A document that kills its renderer', () => {
  beforeEach(async () => {
    fixture = await ControllerFixture.create();
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    await fixture?.destroy();
    await redis?.stop();
  });

  it(
    'fails after one attempt alongside others and two alone, while every other document completes',
    {
      timeout: 2 * DEADLINE_MS,
    },
    async () => {
      const prefix = randomUUID();
      const renderer = new RestartedRenderer([redis.url, prefix, String(LOCK_MS), fixture.storeRoot]);
      onTestFinished(() => renderer.stop());
      const until = (condition: () => Promise<boolean>) =>
        eventually(
          () => {
            renderer.restartIfDead();
            fixture.clock.advance(250);
            return condition();
          },
          { timeoutMs: DEADLINE_MS },
        );

      const first = await startController(prefix);
      const killer = await fixture.gatewayJob({ data: { number: 'KILLER' } });
      const innocent = await Promise.all(Array.from({ length: INNOCENT }, () => fixture.gatewayJob()));
      await until(async () => (await statusOf(killer))?.lostAttempts === 1);
      // From now on, another controller is the leader.
      first.abandonWork();
      await startController(prefix);
      await until(async () => {
        const jobs = await Promise.all(
          [killer, ...innocent].map(({ metadata }) => fixture.find(metadata.name)),
        );
        return jobs.every((job) => job && isFinished(job));
      });

      expect(await statusOf(killer)).toMatchObject({
        phase: 'Failed',
        attempt: 3,
        lostAttempts: 2,
        error: { code: 'renderer_lost', message: expect.stringContaining('use less data') },
      });
      expect(renderer.deaths).toBe(3);
      const { begun } = renderer;
      const attemptsOf = ({ metadata }: GenerationJob) =>
        begun.filter(({ id }) => id.startsWith(metadata.uid));
      expect(attemptsOf(killer).map(({ how }) => how)).toEqual(['shared', 'alone', 'alone']);
      expect(begun.filter(({ how, others }) => how === 'alone' && others > 0)).toEqual([]);

      let lost = 0;
      for (const job of innocent) {
        const { phase, lostAttempts = 0 } = (await statusOf(job)) ?? {};
        expect(phase).toBe('Completed');
        expect(attemptsOf(job).map(({ how }) => how)).toEqual(['shared', 'alone'].slice(0, lostAttempts + 1));
        lost += lostAttempts;
      }
      // When the killer killed the renderer for the first time, the other three slots were taken.
      expect(lost).toBe(3);
    },
  );
});
