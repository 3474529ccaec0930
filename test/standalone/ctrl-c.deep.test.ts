import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { descendantsOf, stillRunning, type ProcessIdentity } from '../support/processes/process-tree.ts';
import { inventKeys, removeDirectory, REPOSITORY, serviceEnvironment } from '../support/service.ts';
import { Api } from '../support/api.ts';
import { freshDirectory } from './fresh-service.ts';

/** The user's directory for browser profiles remains but is empty. */
const PROFILES = `trifold-${process.getuid?.() ?? 0}`;
const profilesIn = (directory: string) =>
  readdirSync(directory).includes(PROFILES) ? readdirSync(join(directory, PROFILES)) : [];
const temporaryEntries = (directory: string) => [
  ...readdirSync(directory).filter((name) => name !== PROFILES && !name.startsWith('node-compile-cache')),
  ...profilesIn(directory),
];

/**
 * A killed browser leaves its temporary files. They are deleted with its profile if the profile is also its temporary
 * directory, which requires a short path.
 */
function shortDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 't-'));
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** A command in a separate process group, as a terminal starts it, with a separate temporary directory. */
class Foreground {
  readonly temporary: string;
  /** The exit status that a shell reports: the exit code, or 128 plus the signal that ended npm itself. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  readonly #seen = new Map<string, ProcessIdentity>();
  #output = '';
  #running = true;

  private constructor(command: readonly string[], temporary: string, environment: NodeJS.ProcessEnv) {
    this.temporary = temporary;
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, {
      cwd: REPOSITORY,
      env: { ...environment, TMPDIR: temporary },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (piece: Buffer) => (this.#output += piece.toString()));
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#running = false;
        resolve(signal === null ? (code ?? -1) : 128 + constants.signals[signal]);
      });
    });
  }

  static async start(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<Foreground> {
    const foreground = new Foreground(command, shortDirectory(), environment);
    onTestFinished(async () => {
      foreground.#signal('SIGKILL');
      await foreground.ended;
    });
    return foreground;
  }

  get output(): string {
    return this.#output;
  }

  get running(): boolean {
    return this.#running;
  }

  get browserProfiles(): string[] {
    return profilesIn(this.temporary);
  }

  /** Sends SIGINT to the whole group, as a terminal does on Ctrl-C. */
  pressCtrlC(): void {
    this.look();
    this.#signal('SIGINT');
  }

  /** Records the current processes, to check that they are gone after the command has ended. */
  look(): void {
    for (const one of descendantsOf(this.#child.pid as number))
      this.#seen.set(`${one.pid}:${one.startTime}`, one);
  }

  async expectNothingLeft(): Promise<void> {
    await eventually(() => stillRunning([...this.#seen.values()]).length === 0);
    expect(temporaryEntries(this.temporary)).toEqual([]);
  }

  #signal(signal: NodeJS.Signals): void {
    if (!this.#running) return;
    try {
      process.kill(-(this.#child.pid as number), signal);
    } catch (error) {
      // Its last process has ended, but this process has not received the event yet.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

const environment = (data: string) => serviceEnvironment({ data, keys: inventKeys() });

async function startDemo(): Promise<Foreground> {
  const { TRIFOLD_BROWSER, PATH, HOME } = process.env;
  const variables = { PATH, HOME, ...(TRIFOLD_BROWSER !== undefined && { TRIFOLD_BROWSER }) };
  return Foreground.start(['npm', 'run', 'demo'], variables);
}

it('Ctrl-C, once or twice, ends the demo with 130 and leaves nothing behind', async () => {
  const demo = await startDemo();
  await eventually(() => demo.browserProfiles.length > 0, { intervalMs: 2, timeoutMs: 60_000 });
  await eventually(() => {
    demo.pressCtrlC();
    return !demo.running;
  });
  expect(await demo.ended, demo.output).toBe(130);
  await demo.expectNothingLeft();
});

it('one Ctrl-C stops npm start like SIGTERM, although npm forwards the signal a second time', async () => {
  const service = await Foreground.start(['npm', 'start'], environment(await freshDirectory()));
  await eventually(() => service.output.includes('Trifold is ready'), { timeoutMs: 60_000 });
  service.pressCtrlC();
  expect(await service.ended, service.output).toBe(0);
  expect(service.output).toContain('"stopped"');
  await service.expectNothingLeft();
});

it('a second Ctrl-C ends npm start in the middle of its work and leaves nothing behind', async () => {
  const variables = environment(await freshDirectory());
  const service = await Foreground.start(['npm', 'start'], variables);
  await eventually(() => service.output.includes('Trifold is ready'), { timeoutMs: 60_000 });
  const url = /ready at (\S+)/.exec(service.output)?.[1] as string;
  const live = new Api(url, variables['TRIFOLD_LIVE_KEY']);
  const { id } = await live.createTemplate({ html: '{{#each rows}}<p>{{this}}</p>{{/each}}' });
  const rows = Array.from({ length: 90_000 }, (_, index) => index);
  // Both are in flight for longer than the test takes to press the keys: one process merges one while another prints
  // the other.
  const responses = [1, 2].map(() =>
    live.post('/v1/generate', { template_id: id, data: { rows } }).catch(() => undefined),
  );
  await eventually(async () => {
    const metrics = (await new Api(url, undefined).get('/metrics')).text;
    return /^trifold_unfinished_jobs [1-9]/m.test(metrics);
  });
  await eventually(
    () => {
      service.pressCtrlC();
      return !service.running;
    },
    { intervalMs: 300 },
  );
  expect(await service.ended, service.output).toBe(130);
  expect(service.output).not.toContain('"stopped"');
  await service.expectNothingLeft();
  await Promise.all(responses);
});
