import type { Condition, Resource } from '@trifold/crds';
import type { MutableLister } from '../cache/mutation-cache.ts';
import { isApiError } from '../client/api-error.ts';
import type { ResourceClient } from '../client/client.ts';
import { TerminalError } from './controller.ts';
import type { EventRecorder } from './event-recorder.ts';

interface StatusWithConditions {
  readonly conditions?: Condition[];
}

export interface StatusWriterOptions<R extends Resource<unknown, StatusWithConditions>> {
  /** Name of the kind in event messages: job or batch. */
  readonly noun: string;
  readonly client: Pick<ResourceClient<R>, 'replaceStatus'>;
  /** Cache that shows the written status immediately. */
  readonly cache: Pick<MutableLister<R>, 'mutated'>;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Writes object statuses; rejects with a Conflict if an object has changed since it was read. */
export class StatusWriter<R extends Resource<unknown, StatusWithConditions>> {
  readonly #options: StatusWriterOptions<R>;

  constructor(options: StatusWriterOptions<R>) {
    this.#options = options;
  }

  /**
   * Writes only the last condition, which the controller has just determined, when the API server rejects the whole
   * status: other clients with access can fill it until nothing more fits.
   */
  async replace(object: R, status: NonNullable<R['status']>, signal: AbortSignal): Promise<R> {
    const written = await this.#replaced(object, status, signal);
    this.#options.cache.mutated(written);
    return written;
  }

  async #replaced(object: R, status: NonNullable<R['status']>, signal: AbortSignal): Promise<R> {
    const { noun, client, events } = this.#options;
    try {
      return await client.replaceStatus({ ...object, status }, signal);
    } catch (error) {
      if (!isApiError(error, 'Invalid')) throw error;
    }
    try {
      const { conditions = [] } = status;
      const reduced = { ...status, conditions: conditions.slice(-1) };
      return await client.replaceStatus({ ...object, status: reduced }, signal);
    } catch (cause) {
      if (!isApiError(cause, 'Invalid')) throw cause;
      const fields = cause.details?.causes?.map(({ field }) => field).join(', ') ?? 'unknown fields';
      const message = `the API server rejected the status of this ${noun}: ${fields}`;
      events.warn(object, 'StatusRejected', message);
      throw new TerminalError(message, cause);
    }
  }
}
