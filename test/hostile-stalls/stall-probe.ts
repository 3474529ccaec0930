import { Api, type ApiResponse } from '../support/api.ts';
import type { ServiceProcess } from '../support/service.ts';

const DEADLINE_MS = 40_000;

/** Client for the probe in probed-service.ts. */
export class StallProbe {
  readonly #api: Api;

  constructor(service: ServiceProcess) {
    const url = /^Stall probe at (\S+)$/m.exec(service.stdout)?.[1];
    if (url === undefined) throw new Error(`the service has no probe\n${service.output}`);
    this.#api = new Api(url);
  }

  /** Returns the time that JSON.parse of the string takes on the service's main thread, in milliseconds. */
  async parseTime(text: string): Promise<number> {
    return (await this.#command('/parse', text)).json<{ ms: number }>().ms;
  }

  /** Starts a measurement. The first one starts with the process. */
  async begin(): Promise<void> {
    await this.#command('/begin');
  }

  /** Waits until the thread is idle. Returns the longest stall in the measurement, in milliseconds. */
  async longestStall(): Promise<number> {
    return (await this.stalls()).ms;
  }

  /** Like `longestStall`; `ownMs` leaves out garbage collection. */
  async stalls(): Promise<{ ms: number; ownMs: number }> {
    return (await this.#command('/end')).json<{ ms: number; ownMs: number }>();
  }

  /** Bytes held by the service after a garbage collection. */
  async heldBytes(): Promise<number> {
    return (await this.#command('/held')).json<{ bytes: number }>().bytes;
  }

  async #command(path: string, body = ''): Promise<ApiResponse> {
    const response = await this.#api.send('POST', path, { body, signal: AbortSignal.timeout(DEADLINE_MS) });
    if (response.status !== 200) throw new Error(`the probe answers ${path} with ${response.text}`);
    return response;
  }
}
