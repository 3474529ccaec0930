import { get, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock } from '@trifold/platform/async/clock.ts';
import type { BrowserKind } from '../process/browser-flags.ts';
import type { BrowserLauncher, RunningBrowser } from '../process/browser.ts';
import { BrowserLaunchError } from '../process/browser-process.ts';
import { BROWSER_ID, launchPath, memoryPath, UPGRADE } from './launcher-protocol.ts';

/** Milliseconds within which a browser must respond; more than the launcher allows. */
const LAUNCH_MS = 40_000;
/** Milliseconds to wait for the launcher in a starting pod. */
const LAUNCHER_START_MS = 30_000;
const RETRY_MS = 100;
const MEMORY_MS = 5_000;
/** Maximum length of a reason, in characters. */
const MAX_TEXT_LENGTH = 4000;

/** Starts browsers through the launcher that listens on a socket. */
export class RemoteLauncher implements BrowserLauncher {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async launch(kind: BrowserKind = {}): Promise<RunningBrowser> {
    const startedAt = systemClock.monotonicMs();
    for (;;) {
      try {
        return await systemClock.withTimeout((signal) => this.#launch(kind, signal), LAUNCH_MS);
      } catch (error) {
        const isStarting = systemClock.monotonicMs() - startedAt < LAUNCHER_START_MS;
        if (error instanceof BrowserLaunchError) throw error;
        if (!isAbsent(error) || !isStarting) {
          throw new BrowserLaunchError(
            `the browser launcher at ${this.#socketPath} does not respond`,
            '',
            error,
          );
        }
      }
      await systemClock.sleep(RETRY_MS);
    }
  }

  #launch(kind: BrowserKind, signal: AbortSignal): Promise<RunningBrowser> {
    const { promise, resolve, reject } = Promise.withResolvers<RunningBrowser>();
    const headers = { connection: 'Upgrade', upgrade: UPGRADE };
    const request = get({ socketPath: this.#socketPath, path: launchPath(kind), headers, agent: false });
    const onAbort = () => request.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    request.once('upgrade', (answer, connection: Duplex, head) => {
      signal.removeEventListener('abort', onAbort);
      if (head.length > 0) connection.unshift(head);
      resolve(new RemoteBrowser(this.#socketPath, Number(answer.headers[BROWSER_ID]), connection));
    });
    request.once(
      'response',
      // A launcher that dies while sending its reason also causes a rejection.
      (answer) => void shortText(answer).then((reason) => reject(new BrowserLaunchError(reason, '')), reject),
    );
    request.once('error', reject);
    return promise;
  }
}

/** A browser started by a launcher. It lives as long as the connection. */
class RemoteBrowser implements RunningBrowser {
  readonly pid: number;
  readonly commands: Duplex;
  readonly answers: Duplex;
  readonly exited: Promise<void>;
  readonly #socketPath: string;

  constructor(socketPath: string, pid: number, connection: Duplex) {
    this.pid = pid;
    this.commands = connection;
    this.answers = connection;
    this.#socketPath = socketPath;
    connection.on('error', () => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    connection.once('close', resolve);
    this.exited = promise;
  }

  get alive(): boolean {
    return !this.commands.destroyed && !this.answers.readableEnded;
  }

  async memoryBytes(): Promise<number> {
    const signal = AbortSignal.timeout(MEMORY_MS);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    get(
      { socketPath: this.#socketPath, path: memoryPath(this.pid), signal },
      (answer) => void shortText(answer).then(resolve, reject),
    ).once('error', reject);
    // A launcher that does not respond also closes its connections.
    return Number(await promise.catch(() => '')) || 0;
  }

  async stop(): Promise<void> {
    this.commands.destroy();
    await this.exited;
  }
}

/** Whether no launcher is listening yet. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function shortText(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) {
    text += (chunk as Buffer).toString();
    if (text.length > MAX_TEXT_LENGTH) break;
  }
  return text.slice(0, MAX_TEXT_LENGTH);
}
