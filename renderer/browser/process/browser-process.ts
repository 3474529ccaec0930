import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onProcessExit } from '@trifold/platform/child-process/exit-cleanup.ts';
import { isProcessAlive, processIdentity } from '@trifold/platform/service/process-identity.ts';
import { TrifoldError } from '@trifold/platform/service/trifold-error.ts';
import { connect, type Connection } from 'puppeteer-core';
import { browserEnvironment } from './browser-environment.ts';
import { browserFlags } from './browser-flags.ts';
import type { BrowserBinary } from './find-browser.ts';
import { isOwnDirectory, makeTemporaryDirectory, temporaryDirectory } from './own-directory.ts';
import { PipeTransport } from './pipe-transport.ts';

export interface LaunchOptions {
  readonly binary: BrowserBinary;
  /** Whether Chromium sandboxes its own processes; see `sandbox.ts`. */
  readonly sandbox: boolean;
  /** Maximum bytes of a printed document; the browser is closed when it sends a larger one. */
  readonly maxDocumentBytes: number;
  /** Whether its pages can be drawn as pictures, which makes printing slower. @default false */
  readonly drawsFrames?: boolean;
  /** Whether scripts of documents run. @default false */
  readonly scripts?: boolean;
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

/** `<identity of the process>-<random>`, in the temporary directory of this user. */
const PROFILE_NAME = /^(\d+-\d+)-\w+$/;
/** Milliseconds that a browser has to start. */
const START_MS = 30_000;
/** A browser creates a socket in its temporary directory, and a socket path has at most 107 characters. */
const LONGEST_TEMPORARY_PATH = 60;
/** Characters of the browser's output that are kept for the error message. */
const OUTPUT_KEPT = 2000;

/** A protocol message contains a document in base64 and little else. */
const messageBytes = (documentBytes: number) => Math.ceil((documentBytes * 4) / 3) + 64 * 1024;

/** A running browser: its process group, its profile directory and the connection to it. */
export class BrowserProcess {
  readonly connection: Connection;
  /** The transport under the connection; use it to send long texts. */
  readonly transport: PipeTransport;
  readonly maxDocumentBytes: number;
  /** Resolves when the process is gone and its profile directory is removed. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  #alive = true;

  private constructor(
    child: ChildProcess,
    exited: Promise<void>,
    {
      connection,
      transport,
      maxDocumentBytes,
    }: Pick<BrowserProcess, 'connection' | 'transport' | 'maxDocumentBytes'>,
  ) {
    this.#child = child;
    this.connection = connection;
    this.transport = transport;
    this.maxDocumentBytes = maxDocumentBytes;
    this.exited = exited.then(() => {
      this.#alive = false;
    });
  }

  /** Starts a browser. Rejects with BrowserLaunchError and then leaves nothing behind. */
  static async launch(options: LaunchOptions): Promise<BrowserProcess> {
    const { maxDocumentBytes } = options;
    const { profile, forget } = makeProfile();
    const child = start(options, profile);
    const forgetChild = onProcessExit(() => killGroup(child));
    const output = keepOutput(child);
    const exited = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    }).then(async () => {
      forgetChild();
      // What cannot be removed now is removed when this process exits, or at the next start.
      await rm(profile, { recursive: true, force: true, maxRetries: 5 }).then(forget, () => undefined);
    });
    try {
      const [, , , input, out] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
      const transport = new PipeTransport(input, out, messageBytes(maxDocumentBytes));
      const connection = await connectTo(transport, exited);
      return new BrowserProcess(child, exited, { connection, transport, maxDocumentBytes });
    } catch (error) {
      killGroup(child);
      await exited;
      throw new BrowserLaunchError(`${options.binary.executable} did not start`, output(), error);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether the process runs and the connection is open. */
  get alive(): boolean {
    return this.#alive && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether the browser was killed because it sent a message over the limit. */
  get overflowed(): boolean {
    return this.transport.overflowed;
  }

  /** Kills the whole process group and removes the profile directory. */
  async stop(): Promise<void> {
    killGroup(this.#child);
    await this.exited;
  }
}

/** Returns the names of profiles that processes of this user use, or left when they were killed. */
export function profileNames(): string[] {
  const directory = temporaryDirectory();
  // In another user's directory, entries can be replaced with links during removal.
  if (!isOwnDirectory(directory)) return [];
  return readdirSync(directory).filter((name) => PROFILE_NAME.test(name));
}

/** Removes the profiles that killed processes of this user left. Their browsers exit by themselves. */
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
  return spawn(binary.executable, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A separate process group, so that all of it can be killed at once.
    detached: true,
    env: { ...browserEnvironment(), ...binary.environment, ...temporaryFilesIn(profile) },
  });
}

/** A killed browser leaves its temporary files; in the profile, they are removed with it. */
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

/** Only Puppeteer's protocol client: it does not attach to targets by itself, so that a document costs two commands. */
async function connectTo(transport: PipeTransport, exited: Promise<void>): Promise<Connection> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new TrifoldError('timeout', `no answer within ${START_MS} ms`)),
    START_MS,
  );
  void exited.then(() => reject(new Error('the process ended')));
  try {
    // The sender of a command sets its timeout.
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
    // The process group is already gone.
  }
}
