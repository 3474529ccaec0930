import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { RetryDeliveriesRequest } from '@trifold/client';
import { useSession } from '../../session/session.ts';

/** A retry of many deliveries, with a request for each 1,000. */
export interface BulkRetry {
  readonly state: 'asking' | 'running' | 'stopped' | 'done';
  /** Number of deliveries that are retried so far. */
  readonly retried: number;
  /** Error of the request that stopped it. */
  readonly error: unknown;
  readonly start: (request: RetryDeliveriesRequest) => void;
  /** Ends it after the request that is under way. */
  readonly stop: () => void;
  /** Goes on where it stopped. */
  readonly resume: () => void;
}

/** `onRetried`: called when it stops or ends. Leaving the page stops it. */
export function useBulkRetry(onRetried: () => void): BulkRetry {
  const { client, endingSession } = useSession();
  const state = useSignal<BulkRetry['state']>('asking');
  const retried = useSignal(0);
  const error = useSignal<unknown>(undefined);
  const next = useRef<RetryDeliveriesRequest>({});
  const isStopped = useRef(false);
  const stop = useCallback(() => void (isStopped.current = true), []);
  useEffect(() => stop, []);
  const sendAll = async () => {
    while (!isStopped.current) {
      const answer = await client.webhooks.deliveries.retryPage(next.current);
      retried.value += answer.retried;
      if (answer.next_cursor === null) return 'done' as const;
      next.current = { ...next.current, cursor: answer.next_cursor };
    }
    return 'stopped' as const;
  };
  const resume = () => {
    isStopped.current = false;
    state.value = 'running';
    error.value = undefined;
    void sendAll()
      .catch((thrown: unknown) => {
        error.value = endingSession(thrown);
        return 'stopped' as const;
      })
      .then((end) => {
        state.value = end;
        onRetried();
      });
  };
  const start = (request: RetryDeliveriesRequest) => {
    next.current = request;
    resume();
  };
  return { state: state.value, retried: retried.value, error: error.value, start, stop, resume };
}
