import { useSignal } from '@preact/signals';
import type { DeliveryQuery, RetryDeliveriesRequest } from '@trifold/client';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { DescriptionList } from '../../components/content/description-list.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Field } from '../../components/controls/field.tsx';
import { formatNumber } from '../../components/format.ts';
import { Dialog, DialogActions } from '../../components/notices/dialog.tsx';
import { Loaded } from '../../components/notices/loading.tsx';
import { ErrorNotice, Notice } from '../../components/notices/notice.tsx';
import { useResource } from '../../loading/resource.ts';
import { text } from '../../messages/text.ts';
import { deliveries as messages } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import { endpointName } from './delivery-status.tsx';
import styles from './deliveries.module.css';

interface RetryAllDialogProps {
  readonly filter: Pick<DeliveryQuery, 'event' | 'endpoint'>;
  readonly endpoints: ReadonlyMap<string, string>;
  readonly onRetried: () => void;
  readonly onClose: () => void;
}

/** After confirmation, retries all failed deliveries that match the filter; each request retries up to 1,000. */
export function RetryAllDialog({ filter, endpoints, onRetried, onClose }: RetryAllDialogProps) {
  const { client } = useSession();
  const { event, endpoint } = filter;
  const failed = useResource(async (signal) =>
    client.webhooks.deliveries.page({ ...filter, status: 'failed', limit: 1 }, { signal }),
  );
  const retry = useBulkRetry(onRetried);
  return (
    <Dialog title={messages.retryAllTitle} onClose={onClose}>
      {(event || endpoint) && (
        <DescriptionList
          entries={[
            [messages.event, event || undefined],
            [messages.endpoint, endpoint && endpointName(endpoint, endpoints)],
          ]}
        />
      )}
      <Loaded resource={failed}>
        {({ pagination }) => (
          <RetryAll count={pagination.total_count} retry={retry} filter={filter} onClose={onClose} />
        )}
      </Loaded>
    </Dialog>
  );
}

interface RetryAllProps {
  /** Matching failed deliveries. */
  readonly count: number;
  readonly retry: BulkRetry;
  readonly filter: RetryAllDialogProps['filter'];
  readonly onClose: () => void;
}

function RetryAll({ count, retry, filter: { event, endpoint }, onClose }: RetryAllProps) {
  const since = useRef<HTMLInputElement>(null);
  const { state, error } = retry;
  const start = () => {
    const time = since.current?.value;
    retry.start({
      ...(event && { event }),
      ...(endpoint && { endpoint }),
      ...(time && { since: new Date(time).toISOString() }),
    });
  };
  return (
    <div class="stack">
      {state === 'asking' ? (
        <>
          <p>{count === 0 ? messages.retryAllNone : messages.retryAllCount(formatNumber(count))}</p>
          {count > 0 && (
            <Field label={messages.since} hint={messages.sinceHint}>
              <input ref={since} type="datetime-local" name="since" />
            </Field>
          )}
        </>
      ) : (
        <Progress retry={retry} count={count} />
      )}
      <ErrorNotice error={error} />
      <Actions count={count} retry={retry} onStart={start} onClose={onClose} />
    </div>
  );
}

interface ActionsProps extends Pick<RetryAllProps, 'count' | 'retry' | 'onClose'> {
  readonly onStart: () => void;
}

function Actions({ count, retry: { state, stop, resume }, onStart, onClose }: ActionsProps) {
  return (
    <DialogActions>
      {state === 'running' ? (
        <Button onClick={stop}>{messages.stop}</Button>
      ) : (
        <Button onClick={onClose}>{state === 'asking' ? text.common.cancel : text.common.close}</Button>
      )}
      {state === 'asking' && count > 0 && (
        <Button kind="primary" onClick={onStart}>
          {messages.retryAllStart}
        </Button>
      )}
      {state === 'stopped' && (
        <Button kind="primary" onClick={resume}>
          {messages.retryAllContinue}
        </Button>
      )}
    </DialogActions>
  );
}

function Progress({ retry: { state, retried }, count }: Pick<RetryAllProps, 'retry' | 'count'>) {
  const number = formatNumber(retried);
  if (state === 'done') return <Notice kind="success">{messages.retryAllDone(number)}</Notice>;
  if (state === 'stopped') return <Notice kind="warning">{messages.retryAllStopped(number)}</Notice>;
  return (
    <>
      <progress class={styles.progress} max={count} value={retried} aria-label={messages.retryAll} />
      <p role="status">{messages.retryAllProgress(number)}</p>
    </>
  );
}

/** A retry of many deliveries, one request per 1,000. */
interface BulkRetry {
  readonly state: 'asking' | 'running' | 'stopped' | 'done';
  /** Number of deliveries retried so far. */
  readonly retried: number;
  /** Error from the request that stopped it. */
  readonly error: unknown;
  readonly start: (request: RetryDeliveriesRequest) => void;
  /** Stops after the request in flight. */
  readonly stop: () => void;
  /** Resumes where it stopped. */
  readonly resume: () => void;
}

/** `onRetried`: called when it stops or finishes. Leaving the page stops it. */
function useBulkRetry(onRetried: () => void): BulkRetry {
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
