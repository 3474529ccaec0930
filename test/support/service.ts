import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Api } from './api.ts';
import { eventually } from './eventually.ts';
import { descendantsOf, type ProcessIdentity } from './processes/process-tree.ts';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

const READY_DEADLINE_MS = 60_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export interface ServiceKeys {
  readonly live: string;
  readonly test: string;
}

/** How a process ended: with an exit code or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServiceOptions {
  /** Data directory; the caller removes it. */
  readonly data: string;
  /** Preset keys; if absent, the service generates its own. */
  readonly keys?: ServiceKeys;
  /** Added to the default variables of a service; undefined removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Program that runs the service, relative to the repository root. @default 'standalone/main.ts' */
  readonly program?: string;
}

/** Valid keys (interface, "Authentication" 3). */
export function inventKeys(): ServiceKeys {
  const secret = () => Array.from({ length: 43 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { live: `tf_live_${secret()}`, test: `tf_test_${secret()}` };
}

/** Creates a temporary directory. */
export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'trifold-test-'));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the environment of a service under test: of this process's settings only the browser. Usage appears soon. */
export function serviceEnvironment({ data, keys, environment }: ServiceOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, TRIFOLD_BROWSER } = process.env;
  const wanted = {
    PATH,
    HOME,
    TMPDIR,
    LANG,
    TRIFOLD_BROWSER,
    TRIFOLD_DATA: data,
    TRIFOLD_PORT: '0',
    TRIFOLD_LOG_LEVEL: 'info',
    TRIFOLD_USAGE_INTERVAL: '500ms',
    ...(keys && { TRIFOLD_LIVE_KEY: keys.live, TRIFOLD_TEST_KEY: keys.test }),
    ...environment,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/** Runs `node standalone/main.ts` as a user or script would. It cannot outlive this process. */
export class ServiceProcess {
  readonly pid: number;
  readonly data: string;
  /** Settles when the process has exited and its output is fully read. */
  readonly ended: Promise<ProcessEnd>;
  readonly #options: ServiceOptions;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';
  #end: ProcessEnd | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.data = options.data;
    this.#child = spawn(process.execPath, [options.program ?? 'standalone/main.ts'], {
      cwd: REPOSITORY,
      env: serviceEnvironment(options),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (this.#child.pid === undefined) throw new Error('the service could not be started');
    this.pid = this.#child.pid;
    this.#child.stdout?.on('data', (piece: Buffer) => (this.#stdout += piece.toString()));
    this.#child.stderr?.on('data', (piece: Buffer) => (this.#stderr += piece.toString()));
    const leash = tieToThisProcess(this.pid);
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        leash.kill('SIGKILL');
        this.#end = { code, signal };
        resolve(this.#end);
      });
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The end of both streams, for error messages. */
  get output(): string {
    return `--- stdout ---\n${this.#stdout.slice(-8000)}\n--- stderr ---\n${this.#stderr.slice(-8000)}`;
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  get kubeconfig(): string {
    return join(this.data, 'kubeconfig');
  }

  /** Base URL that the service printed when it was ready. */
  get url(): string {
    const url = /^Trifold is ready at (\S+)$/m.exec(this.#stdout)?.[1];
    if (url === undefined) throw new Error(`the service has not said that it is ready\n${this.output}`);
    return url;
  }

  /** Client with the preset live key. */
  get live(): Api {
    return new Api(this.url, this.#options.keys?.live);
  }

  /** Client with the preset test key. */
  get test(): Api {
    return new Api(this.url, this.#options.keys?.test);
  }

  /** Returns browsers and all other running descendants of the service. */
  get children(): ProcessIdentity[] {
    return descendantsOf(this.pid);
  }

  /** Resolves when the service reports that it is ready; rejects when it exits first or on timeout. */
  async ready(): Promise<this> {
    const giveUp = () => (this.#end ? new Error(`it ended: ${JSON.stringify(this.#end)}`) : undefined);
    try {
      await eventually(() => this.url, { timeoutMs: READY_DEADLINE_MS, giveUp });
      return this;
    } catch (cause) {
      throw new Error(`the service did not start\n${this.output}`, { cause });
    }
  }

  /** Sends a signal to the service alone, not to its children. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it like a power failure. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Asks it to stop, and kills it after 15 s. Returns how it ended. */
  async stop(): Promise<ProcessEnd> {
    this.signal('SIGTERM');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), 15_000);
    try {
      return await this.ended;
    } finally {
      clearTimeout(tooLong);
    }
  }
}

/**
 * A shell that kills the process when our end of its standard input closes. The operating system closes it even if this
 * process is killed.
 */
function tieToThisProcess(pid: number): ChildProcess {
  const script = 'cat >/dev/null; kill -KILL "$0" 2>/dev/null';
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] });
}
