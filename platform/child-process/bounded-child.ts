import { fork, type ChildProcess } from 'node:child_process';
import { onProcessExit } from './exit-cleanup.ts';

/** WebAssembly has its memory in pages of 64 KiB; it does not count as JavaScript's. */
const PAGES_PER_MIB = 16;
/** How Node ends when its memory is full: by abort, as a signal or as a shell's code for it. */
const ABORTED: readonly (string | number | null)[] = ['SIGABRT', 134];

/** A process ended before it answered. */
export class ChildEnded extends Error {
  override readonly name = 'ChildEnded';
  /** It held more than it may. */
  readonly outOfMemory: boolean;

  constructor(outOfMemory: boolean) {
    super(outOfMemory ? 'a child process ran out of memory' : 'a child process ended');
    this.outOfMemory = outOfMemory;
  }
}

export interface BoundedChildOptions {
  /** The module that the process runs; it calls `serveParent`. */
  readonly entry: URL;
  /** MiB that the process may hold in JavaScript's memory, and as many in WebAssembly's. */
  readonly memoryMib: number;
}

/**
 * A process that works on other people's input, one request after another. Not a thread: input that fills a thread's
 * memory can take the whole process down with it, whatever the thread's own limit. One that ended is started again when
 * it is needed.
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

  /** Starts the process if there is none. */
  async ready(): Promise<void> {
    this.#ready ??= this.#start();
    await this.#ready;
  }

  /** Whether a request is not answered yet. */
  get busy(): boolean {
    return this.#settle !== undefined;
  }

  /** Sends a request; `ready` must have resolved. Rejects with ChildEnded, or RangeError when the request nests too deep. */
  async ask(request: Request): Promise<Reply> {
    // It may have ended since it answered the request before.
    if (!this.#child) throw new ChildEnded(false);
    // Before there is a reply to wait for: a request that cannot be sent leaves the process idle.
    this.#child.send(request);
    return this.#reply();
  }

  /** Kills the process, whatever it does. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    // With nothing else left to do, this process would end before it heard of that.
    child.ref();
    // Whoever waits for it, also for its start, must not wait for ever.
    this.#onEnd(child, new ChildEnded(false));
    child.kill('SIGKILL');
    await gone;
  }

  async #start(): Promise<Reply> {
    const { entry, memoryMib } = this.#options;
    const child = fork(entry, {
      execArgv: [`--max-old-space-size=${memoryMib}`, `--wasm-max-mem-pages=${memoryMib * PAGES_PER_MIB}`],
      // The service's settings are no business of a template's process.
      env: {},
      serialization: 'advanced',
      // What Node says when it aborts is no use to anybody.
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
    // In the middle of a merge it would not notice that nobody is left to hear of it.
    const forget = onProcessExit(() => void child.kill('SIGKILL'));
    child.on('error', (error) => this.#onEnd(child, error));
    child.on('exit', (code, signal) => {
      forget();
      const outOfMemory = ABORTED.includes(signal) || ABORTED.includes(code);
      this.#onEnd(child, new ChildEnded(outOfMemory));
    });
    // Its first words say only that it is there.
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
