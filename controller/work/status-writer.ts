import type { Resource } from '@trifold/crds';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { TerminalError } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';

export interface StatusWriterOptions<R extends Resource<unknown, unknown>> {
  /** Name of the kind in event messages: job, batch. */
  readonly noun: string;
  readonly client: Pick<ResourceClient<R>, 'replaceStatus'>;
  /** Shows the written status immediately. */
  readonly cache: Pick<MutableLister<R>, 'mutated'>;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** Returns a status without the parts that others may have added. */
  readonly ownedFields: (status: NonNullable<R['status']>) => NonNullable<R['status']>;
}

/** Writes the status of objects; rejects with a Conflict when an object has changed since it was read. */
export class StatusWriter<R extends Resource<unknown, unknown>> {
  readonly #options: StatusWriterOptions<R>;

  constructor(options: StatusWriterOptions<R>) {
    this.#options = options;
  }

  /**
   * Writes only our own part when the API server rejects the whole status: others with access can fill it until nothing
   * fits.
   */
  async replace(object: R, status: NonNullable<R['status']>, signal: AbortSignal): Promise<R> {
    const written = await this.#replaced(object, status, signal);
    this.#options.cache.mutated(written);
    return written;
  }

  async #replaced(object: R, status: NonNullable<R['status']>, signal: AbortSignal): Promise<R> {
    const { noun, client, events, ownedFields } = this.#options;
    try {
      return await client.replaceStatus({ ...object, status }, signal);
    } catch (error) {
      if (!isApiError(error, 'Invalid')) throw error;
    }
    try {
      return await client.replaceStatus({ ...object, status: ownedFields(status) }, signal);
    } catch (cause) {
      if (!isApiError(cause, 'Invalid')) throw cause;
      const fields = cause.details?.causes?.map(({ field }) => field).join(', ') ?? 'unknown fields';
      const message = `the API server rejected the status of this ${noun}: ${fields}`;
      events.warn(object, 'StatusRejected', message);
      throw new TerminalError(message, cause);
    }
  }
}
