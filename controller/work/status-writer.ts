import type { Resource } from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { TerminalError } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';

export interface StatusWriterOptions<R extends Resource<unknown, unknown>> {
  /** As the message of an event calls the object: job, batch. */
  readonly noun: string;
  readonly client: Pick<ResourceClient<R>, 'replaceStatus'>;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** A status without what others may have put into it. */
  readonly ownPartOf: (status: NonNullable<R['status']>) => NonNullable<R['status']>;
}

/** Writes the status of objects that are as they were read; rejects with a Conflict when one is not. */
export class StatusWriter<R extends Resource<unknown, unknown>> {
  readonly #options: StatusWriterOptions<R>;

  constructor(options: StatusWriterOptions<R>) {
    this.#options = options;
  }

  /** Whoever may write the status can fill it so that nothing fits in any more: then only our own part is written. */
  async replace(object: R, status: NonNullable<R['status']>, signal: AbortSignal): Promise<R> {
    const { noun, client, events, ownPartOf } = this.#options;
    try {
      return await client.replaceStatus({ ...object, status }, signal);
    } catch (error) {
      if (!isApiError(error, 'Invalid')) throw error;
    }
    try {
      return await client.replaceStatus({ ...object, status: ownPartOf(status) }, signal);
    } catch (cause) {
      if (!isApiError(cause, 'Invalid')) throw cause;
      const fields =
        cause.details?.causes?.map(({ field }) => field).join(', ') ?? 'it does not say which fields';
      const message = `the API server does not take the status of this ${noun}: ${fields}`;
      events.warn(object, 'StatusRefused', message);
      throw new TerminalError(message, { cause });
    }
  }
}
