import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onProcessExit } from '@trifold/platform/child-process/exit-cleanup.ts';
import { isProcessAlive, processIdentity } from '@trifold/platform/service/process-identity.ts';
import { connect, type Connection } from 'puppeteer-core';
import { browserEnvironment } from './browser-environment.ts';
import { browserFlags } from './browser-flags.ts';
import type { BrowserBinary } from './find-browser.ts';
import { isOwnDirectory, makeTemporaryDirectory, temporaryDirectory } from './own-directory.ts';
import { PipeTransport } from './pipe-transport.ts';

export interface LaunchOptions {
  readonly binary: BrowserBinary;
  /** Whether Chromium confines its own processes; see `sandbox.ts`. */
  readonly sandbox: boolean;
  /** Longest protocol message, in bytes; a longer one ends the browser. */
  readonly maxMessageBytes: number;
  /** Whether its pages can be drawn as pictures; printing is slower then. @default false */
  readonly drawsFrames?: boolean;
  /** Whether scripts of documents run. @default false */
  readonly scripts?: boolean;
}

/** A browser did not start; `output` is the end of what it said. */
export class BrowserLaunchError extends Error {
  override readonly name = 'BrowserLaunchError';
  readonly output: string;

  constructor(message: string, output: string, cause?: unknown) {
    super(output === '' ? message : `${message}: ${output}`, { cause });
    this.output = output;
  }
}

/** `<identity of the process>-<random>`, below the temporary directory of this user. */
const PROFILE_NAME = /^(\d+-\d+)-\w+$/;
/** How long a browser may take to start. */
const START_MS = 30_000;
/** A browser makes a socket below its temporary directory, and the path of a socket has at most 107 characters. */
const LONGEST_TEMPORARY_PATH = 60;
/** How much of what a browser says is kept for the error message, in characters. */
const OUTPUT_KEPT = 2000;

/** A running browser: its process group, its profile directory and the connection to it. */
export class BrowserProcess {
  readonly connection: Connection;
  /** Beneath the connection; it sends long texts. */
  readonly transport: PipeTransport;
  /** Resolves when the process is gone and its profile directory is removed. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  #alive = true;

  private constructor(
    child: ChildProcess,
    transport: PipeTransport,
    connection: Connection,
    exited: Promise<void>,
  ) {
    this.#child = child;
    this.transport = transport;
    this.connection = connection;
    this.exited = exited.then(() => {
      this.#alive = false;
    });
  }

  /** Starts a browser. Rejects with BrowserLaunchError; nothing is left behind then. */
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
      // What cannot be removed now is when this process ends, or at the next start.
      await rm(profile, { recursive: true, force: true, maxRetries: 5 }).then(forget, () => undefined);
    });
    try {
      const [, , , input, out] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
      const transport = new PipeTransport(input, out, options.maxMessageBytes);
      const connection = await connectTo(transport, exited);
      return new BrowserProcess(child, transport, connection, exited);
    } catch (error) {
      killGroup(child);
      await exited;
      throw new BrowserLaunchError(`${options.binary.executable} did not start`, output(), error);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether the process runs and the connection stands. */
  get alive(): boolean {
    return this.#alive && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether the browser was ended because it sent more than a message may hold. */
  get overflowed(): boolean {
    return this.transport.overflowed;
  }

  /** Kills the whole process group and removes the profile directory. */
  async stop(): Promise<void> {
    killGroup(this.#child);
    await this.exited;
  }
}

/** Names of the profiles that processes of this user have, or left when they were killed. */
export function profileNames(): string[] {
  const directory = temporaryDirectory();
  // In a directory of somebody else, entries can be exchanged for links while they are removed.
  if (!isOwnDirectory(directory)) return [];
  return readdirSync(directory).filter((name) => PROFILE_NAME.test(name));
}

/** Removes the profiles that processes of this user left when they were killed. Their browsers end by themselves. */
export async function sweepProfiles(): Promise<void> {
  for (const name of profileNames()) {
    const [, owner = ''] = PROFILE_NAME.exec(name) ?? [];
    if (isProcessAlive(owner)) continue;
    await rm(join(temporaryDirectory(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Made in one step with the promise to remove it: this process may be told to exit at any moment. */
function makeProfile(): { profile: string; forget: () => void } {
  const profile = mkdtempSync(join(makeTemporaryDirectory(), `${processIdentity()}-`));
  // The browser, which is killed first, may still be about to write into it.
  const forget = onProcessExit(() => rmSync(profile, { recursive: true, force: true, maxRetries: 20 }));
  return { profile, forget };
}

function start({ binary, sandbox, ...kind }: LaunchOptions, profile: string): ChildProcess {
  const flags = [...browserFlags(kind), `--user-data-dir=${profile}`, ...(sandbox ? [] : ['--no-sandbox'])];
  return spawn(binary.executable, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A process group of its own, so that all of it can be killed at once.
    detached: true,
    env: { ...browserEnvironment(), ...binary.environment, ...temporaryFilesIn(profile) },
  });
}

/** A browser that is killed leaves its temporary files: they are to go with its profile. */
function temporaryFilesIn(profile: string): Record<string, string> {
  return profile.length <= LONGEST_TEMPORARY_PATH ? { TMPDIR: profile } : {};
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

/** Puppeteer's protocol client alone: it attaches to nothing by itself, so that a document costs two commands. */
async function connectTo(transport: PipeTransport, exited: Promise<void>): Promise<Connection> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${START_MS} ms`)), START_MS);
  void exited.then(() => reject(new Error('the process ended')));
  try {
    // How long a command may take is for whoever sends it to say.
    const protocolTimeout = 0;
    const connected = connect({
      transport,
      defaultViewport: null,
      targetFilter: () => false,
      protocolTimeout,
    });
    const browser = await Promise.race([connected, failed]);
    const session = await Promise.race([browser.target().createCDPSession(), failed]);
    const connection = session.connection();
    if (!connection) throw new Error('the connection closed');
    return connection;
  } finally {
    clearTimeout(timer);
    failed.catch(() => undefined);
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
