import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(import.meta.url);
/** The sources run as `.ts` files and the package as `.js` files. */
const ENTRY = path.join(path.dirname(HERE), `run-command${path.extname(HERE)}`);

/** The service itself needs at most 10 s. */
const STOP_DEADLINE_MS = 15_000;
const KEPT_CHARACTERS = 64 * 1024;
const SHOWN_LINES = 20;

/** `trifold start` in a child process, which ends with this process. It does not keep this process running. */
export class ServiceProcess {
  readonly #child: ChildProcessByStdio<null, Socket, Socket>;
  /** Resolves with the reason when the process has ended. */
  readonly #ended: Promise<string>;
  #output = '';
  #stopping = false;

  constructor(command: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [ENTRY, command, 'start'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }) as ChildProcessByStdio<null, Socket, Socket>;
    const { stdout, stderr } = this.#child;
    for (const stream of [stdout, stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        this.#output = (this.#output + piece).slice(-KEPT_CHARACTERS);
      });
    }
    const exit = new Promise<string>((resolve) => {
      this.#child.on('error', (error) => resolve(error.message));
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    // The child emits no `close` event after `disconnect`.
    const read = [stdout, stderr].map((stream) => finished(stream).catch(() => undefined));
    this.#ended = Promise.all(read).then(() => exit);
  }

  /** Resolves with the service's URL. Rejects if the service ends or is not ready in time. */
  async ready(timeoutMs: number): Promise<string> {
    const { promise: url, resolve } = Promise.withResolvers<string>();
    const look = () => {
      const [, found] = /^Trifold is ready at (\S+)\n/m.exec(this.#output) ?? [];
      if (found !== undefined) resolve(found);
    };
    this.#child.stdout.on('data', look);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(this.#error(`was not ready within ${timeoutMs} ms: increase timeoutMs`)),
      timeoutMs,
    );
    const ended = this.#ended.then((reason) => {
      throw this.#error(`did not start: ${/^trifold: (.+)$/m.exec(this.#output)?.[1] ?? reason}`);
    });
    try {
      const found = await Promise.race([url, late, ended]);
      this.#release();
      return found;
    } finally {
      clearTimeout(timer);
      this.#child.stdout.off('data', look);
    }
  }

  /** Calls `report` if the service ends without a call to `stop`. */
  onUnexpectedEnd(report: (error: Error) => void): void {
    void this.#ended.then((reason) => {
      if (!this.#stopping) report(this.#error(`ended unexpectedly: ${reason}`));
    });
  }

  /** Stops the service, or kills it on timeout. A browser may then still hold its output open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL');
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    }, STOP_DEADLINE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Lets this process exit even if a test does not stop the service. */
  #release(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#child.stdout.unref();
    this.#child.stderr.unref();
  }

  #error(problem: string): Error {
    const lines = this.#output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
    return new Error(`Trifold ${problem}\nLast output:\n${lines || '(none)'}`);
  }
}
