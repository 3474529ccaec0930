import { fork, type ChildProcess } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildProcessError } from './child-process-error.ts';
import { onProcessExit } from './exit-cleanup.ts';
import { tiedNode } from './tied-process.ts';

/** WebAssembly memory has pages of 64 KiB and does not count as JavaScript memory. */
const PAGES_PER_MIB = 16;
/**
 * Limits in MiB for V8's young generation: a sixth of the JavaScript memory, and at most V8's default. With 64 of 96 MiB,
 * a process may collect all its memory several times per request, so an email takes 10 ms instead of 4.
 */
const YOUNG_SHARE = 1 / 6;
const MAX_YOUNG_MIB = 64;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node aborts when it runs out of memory: SIGABRT, or a shell's exit code for it. */
const ABORTED: readonly (string | number | null)[] = ['SIGABRT', 134];

export interface BoundedChildOptions {
  /** The module that the process runs; it calls `serveParent`. */
  readonly entry: URL;
  /** Limit in MiB for JavaScript memory, and the same again for WebAssembly memory. */
  readonly memoryMib: number;
}

/**
 * A child process that handles untrusted input, one request at a time. Not a thread: input that fills a thread's memory
 * can crash the whole process, regardless of the thread's own limit. A process that has ended is restarted when needed.
 *
 * It has an empty environment. Node's permission model lets it read only its own code, and prevents it from writing
 * files or starting processes. This applies to JavaScript; it does not stop native code.
 */
export class BoundedChild<Request extends object, Reply> {
  readonly #options: BoundedChildOptions;
  #child: ChildProcess | undefined;
  #ready: Promise<unknown> | undefined;
  #settle: ((reply: Reply) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(options: BoundedChildOptions) {
    this.#options = options;
  }

  /** Starts the process if it is not running. */
  async ready(): Promise<void> {
    this.#ready ??= this.#start();
    await this.#ready;
  }

  /** Whether a request is in flight. */
  get busy(): boolean {
    return this.#settle !== undefined;
  }

  /**
   * Sends a request; `ready` must have resolved. Rejects with ChildProcessError, or RangeError when the request nests
   * too deeply.
   */
  async ask(request: Request): Promise<Reply> {
    // The process may have ended since its last reply.
    if (!this.#child) throw new ChildProcessError('ended');
    // Sent before the wait for a reply starts: a request that cannot be sent leaves the process idle.
    this.#child.send(request);
    return this.#reply();
  }

  /** Kills the process, even during a request. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    // Without this, a process with nothing else to do would exit before it receives the event.
    child.ref();
    // Callers that wait for a reply or for the start must not wait forever.
    this.#onEnd(child, new ChildProcessError('ended'));
    child.kill('SIGKILL');
    await gone;
  }

  async #start(): Promise<Reply> {
    const { entry, memoryMib } = this.#options;
    const { args, ...command } = tiedNode([
      `--max-old-space-size=${memoryMib}`,
      `--max-semi-space-size=${Math.min(MAX_YOUNG_MIB, Math.ceil(memoryMib * YOUNG_SHARE))}`,
      `--wasm-max-mem-pages=${memoryMib * PAGES_PER_MIB}`,
      '--permission',
      ...codeOf(entry).map((path) => `--allow-fs-read=${path}`),
    ]);
    const child = fork(entry, args, {
      ...command,
      // A process that runs templates must not see the service's settings.
      env: {},
      serialization: 'advanced',
      // Node's output on an abort is not useful.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    this.#child = child;
    child.on('message', (reply: Reply) => {
      const settle = this.#settle;
      this.#settle = undefined;
      settle?.(reply);
    });
    // During a merge the child would not notice that its parent has exited, unless it is tied to it.
    const forget = onProcessExit(() => void child.kill('SIGKILL'));
    child.on('error', (error) => this.#onEnd(child, error));
    child.on('exit', (code, signal) => {
      forget();
      const outOfMemory = ABORTED.includes(signal) || ABORTED.includes(code);
      this.#onEnd(child, new ChildProcessError(outOfMemory ? 'out_of_memory' : 'ended'));
    });
    // The first message only reports that the process is ready.
    return this.#reply();
  }

  #reply(): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#settle = resolve;
    this.#fail = reject;
    return promise;
  }

  #onEnd(child: ChildProcess, error: Error): void {
    if (child !== this.#child) return;
    const fail = this.#fail;
    this.#child = undefined;
    this.#ready = undefined;
    this.#settle = undefined;
    this.#fail = undefined;
    fail?.(error);
  }
}

/** Returns the folders that a module of this project loads code from. The data directory may be next to them. */
function codeOf(entry: URL): string[] {
  const [own = ''] = relative(ROOT, fileURLToPath(entry)).split(sep);
  const folders = new Set(['node_modules', 'crds', 'platform', own]);
  return [...Array.from(folders, (folder) => join(ROOT, folder)), ...installation()];
}

/** Package managers install our dependencies next to our package, in the outermost `node_modules` of its path. */
function installation(): string[] {
  const [outside = '', ...inside] = ROOT.split(`${sep}node_modules${sep}`);
  return inside.length === 0 ? [] : [join(outside, 'node_modules')];
}
