import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onProcessExit } from '@trifold/platform/child-process/exit-cleanup.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { isProcessAlive, processIdentity } from '@trifold/platform/process/process-identity.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { browserFlags, type BrowserKind } from './browser-flags.ts';
import type { RunningBrowser } from './browser.ts';
import { browserEnvironment, type BrowserBinary } from './browser-program.ts';
import { groupMemoryBytes } from './group-memory.ts';
import { isOwnDirectory, makeTemporaryDirectory, temporaryDirectory } from './own-directory.ts';

export interface LaunchOptions extends BrowserKind {
  readonly binary: BrowserBinary;
  /** Whether Chromium sandboxes its own processes; see `sandbox.ts`. */
  readonly sandbox: boolean;
}

/** A browser failed to start; `output` is the end of its output. */
export class BrowserLaunchError extends TrifoldError<'browser_start_failed'> {
  readonly output: string;

  constructor(message: string, output: string, cause?: unknown) {
    super('browser_start_failed', output === '' ? message : `${message}: ${output}`, {
      retryable: true,
      cause,
    });
    this.output = output;
  }
}

/** `<identity of the process>-<random>`, in this user's temporary directory. */
const PROFILE_NAME = /^(\d+-\d+)-\w+$/;
/** Milliseconds that a browser has to start. */
const START_MS = 30_000;
/** A browser creates a socket in its temporary directory, and a socket path has at most 107 characters. */
const MAX_TEMPORARY_PATH_LENGTH = 60;
/** Number of characters of the browser's output to keep for the error message. */
const OUTPUT_KEPT = 2000;

/** Terminates each DevTools protocol message. */
const END_OF_MESSAGE = 0;

/** A browser as a child process: its process group, its profile directory and the pipes to it. */
export class BrowserProcess implements RunningBrowser {
  readonly commands: Writable;
  readonly answers: Readable;
  /** Resolves when the process is gone and its profile directory is removed. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  #alive = true;

  private constructor(child: ChildProcess, exited: Promise<void>) {
    const [, , , commands, answers] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
    this.#child = child;
    this.commands = commands;
    this.answers = answers;
    // A broken pipe means that the process is exiting.
    for (const stream of [commands, answers]) stream.on('error', () => undefined);
    this.exited = exited.then(() => {
      this.#alive = false;
    });
  }

  /** Starts a browser. Rejects with BrowserLaunchError after cleaning up. */
  static async launch(options: LaunchOptions): Promise<BrowserProcess> {
    const { profile, forget } = makeProfile();
    const child = start(options, profile);
    const forgetChild = onProcessExit(() => killGroup(child));
    const output = keepOutput(child);
    const exited = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    }).then(async () => {
      forgetChild();
      // Anything that cannot be removed now is removed when this process exits, or at the next start.
      await rm(profile, { recursive: true, force: true, maxRetries: 5 }).then(forget, () => undefined);
    });
    const browser = new BrowserProcess(child, exited);
    try {
      await systemClock.withTimeout(() => firstAnswer(browser), START_MS);
      return browser;
    } catch (error) {
      await browser.stop();
      throw new BrowserLaunchError(`${options.binary.executable} did not start`, output(), error);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get alive(): boolean {
    return this.#alive && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  memoryBytes(): Promise<number> {
    return groupMemoryBytes(this.pid);
  }

  /** Kills the whole process group and removes the profile directory. */
  async stop(): Promise<void> {
    killGroup(this.#child);
    await this.exited;
  }
}

/** Returns the names of profiles that this user's processes are using, or that they left behind when killed. */
export function profileNames(): string[] {
  const directory = temporaryDirectory();
  // In another user's directory, entries can be replaced with links during removal.
  if (!isOwnDirectory(directory)) return [];
  return readdirSync(directory).filter((name) => PROFILE_NAME.test(name));
}

/** Removes the profiles left by this user's killed processes. Their browsers exit by themselves. */
export async function sweepProfiles(): Promise<void> {
  for (const name of profileNames()) {
    const [, owner = ''] = PROFILE_NAME.exec(name) ?? [];
    if (isProcessAlive(owner)) continue;
    await rm(join(temporaryDirectory(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Creates the directory and registers its removal in one step, because this process may be asked to exit at any moment.
 */
function makeProfile(): { profile: string; forget: () => void } {
  const profile = mkdtempSync(join(makeTemporaryDirectory(), `${processIdentity()}-`));
  // The browser is killed first but may still write into the directory.
  const forget = onProcessExit(() => rmSync(profile, { recursive: true, force: true, maxRetries: 20 }));
  return { profile, forget };
}

function start({ binary, sandbox, ...kind }: LaunchOptions, profile: string): ChildProcess {
  const flags = [...browserFlags(kind), `--user-data-dir=${profile}`, ...(sandbox ? [] : ['--no-sandbox'])];
  const child = spawn(binary.executable, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // Creates a separate process group, so that all of it can be killed together.
    detached: true,
    env: { ...browserEnvironment(), ...binary.environment, ...temporaryFilesIn(profile) },
  });
  if (kind.background === true && child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

/** Measured: with 10, other accounts wait just as long, and a busy account gets half as many documents (ADR 42). */
const BACKGROUND_NICE = 5;

const LOWEST_PRIORITY = constants.priority.PRIORITY_LOW;

/** Set before the browser starts other processes, which inherit it. Best effort: a container may forbid it. */
function lowerPriority(pid: number): void {
  quietly(() => setPriority(pid, Math.min(getPriority(pid) + BACKGROUND_NICE, LOWEST_PRIORITY)));
  // Outside control groups, Linux schedules by session, and the browser has its own session.
  quietly(() => writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICE)));
}

function quietly(attempt: () => void): void {
  try {
    attempt();
  } catch {
    // The browser works without it.
  }
}

/** A killed browser leaves its temporary files; in the profile, they are removed with it. */
function temporaryFilesIn(profile: string): Record<string, string> {
  return profile.length <= MAX_TEMPORARY_PATH_LENGTH ? { TMPDIR: profile } : {};
}

function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString()).slice(-OUTPUT_KEPT);
  });
  child.once('error', (error) => {
    kept += error.message;
  });
  return () => kept.trim();
}

/** Resolves when the browser responds to a command. Rejects when it exits first. */
async function firstAnswer({ commands, answers, exited }: BrowserProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  void exited.then(() => reject(new Error('the process ended')));
  const onData = (chunk: Buffer) => {
    if (chunk.includes(END_OF_MESSAGE)) resolve();
  };
  answers.on('data', onData);
  commands.write('{"id":0,"method":"Browser.getVersion"}\0');
  await promise;
  answers.off('data', onData);
  // Paused until the next reader attaches.
  answers.pause();
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group is already gone.
  }
}
