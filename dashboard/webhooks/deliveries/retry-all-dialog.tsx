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
  const request = { ...(event && { event }), ...(endpoint && { endpoint }) };
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
        {({ pagination: { total_count } }) => (
          <RetryAll count={total_count} request={request} onRetried={onRetried} onClose={onClose} />
        )}
      </Loaded>
    </Dialog>
  );
}

interface RetryAllProps extends Pick<RetryAllDialogProps, 'onRetried' | 'onClose'> {
  /** Number of matching failed deliveries. */
  readonly count: number;
  readonly request: RetryDeliveriesRequest;
}

function RetryAll({ count, request, onRetried, onClose }: RetryAllProps) {
  const since = useRef<HTMLInputElement>(null);
  const { state, retried, error, run, stop } = useBulkRetry(onRetried);
  const start = () => {
    const time = since.current?.value;
    run({ ...request, ...(time && { since: new Date(time).toISOString() }) });
  };
  const number = formatNumber(retried);
  return (
    <div class="stack">
      {state === 'asking' && (
        <>
          <p>{count === 0 ? messages.retryAllNone : messages.retryAllCount(formatNumber(count))}</p>
          {count > 0 && (
            <Field label={messages.since} hint={messages.sinceHint}>
              <input ref={since} type="datetime-local" name="since" />
            </Field>
          )}
        </>
      )}
      {state === 'running' && (
        <>
          <progress class={styles.progress} max={count} value={retried} aria-label={messages.retryAll} />
          <p role="status">{messages.retryAllProgress(number)}</p>
        </>
      )}
      {state === 'stopped' && <Notice kind="warning">{messages.retryAllStopped(number)}</Notice>}
      {state === 'done' && <Notice kind="success">{messages.retryAllDone(number)}</Notice>}
      <ErrorNotice error={error} />
      <DialogActions>
        {state === 'running' ? (
          <Button onClick={stop}>{messages.stop}</Button>
        ) : (
          <Button onClick={onClose}>{state === 'asking' ? text.common.cancel : text.common.close}</Button>
        )}
        <NextButton state={state} isEmpty={count === 0} onStart={start} onContinue={() => run()} />
      </DialogActions>
    </div>
  );
}

interface NextButtonProps {
  readonly state: State;
  readonly isEmpty: boolean;
  readonly onStart: () => void;
  readonly onContinue: () => void;
}

function NextButton({ state, isEmpty, onStart, onContinue }: NextButtonProps) {
  const isNew = state === 'asking';
  if (isNew ? isEmpty : state !== 'stopped') return null;
  return (
    <Button kind="primary" onClick={isNew ? onStart : onContinue}>
      {isNew ? messages.retryAllStart : messages.retryAllContinue}
    </Button>
  );
}

type State = 'asking' | 'running' | 'stopped' | 'done';

/**
 * Retries many deliveries, one request per 1,000. `onRetried`: called when it stops or finishes. `run`: starts a
 * request, or continues where it stopped. `stop`: stops after the request in flight, as does leaving the page.
 */
function useBulkRetry(onRetried: () => void) {
  const { client, endingSession } = useSession();
  const state = useSignal<State>('asking');
  const retried = useSignal(0);
  const error = useSignal<unknown>(undefined);
  const next = useRef<RetryDeliveriesRequest>({});
  const isStopped = useRef(false);
  const stop = useCallback(() => void (isStopped.current = true), []);
  useEffect(() => stop, []);
  const sendAll = async (): Promise<State> => {
    while (!isStopped.current) {
      const answer = await client.webhooks.deliveries.retryPage(next.current);
      retried.value += answer.retried;
      if (answer.next_cursor === null) return 'done';
      next.current = { ...next.current, cursor: answer.next_cursor };
    }
    return 'stopped';
  };
  const run = (request = next.current) => {
    next.current = request;
    isStopped.current = false;
    state.value = 'running';
    error.value = undefined;
    void sendAll()
      .catch((thrown: unknown): State => {
        error.value = endingSession(thrown);
        return 'stopped';
      })
      .then((end) => {
        state.value = end;
        onRetried();
      });
  };
  return { state: state.value, retried: retried.value, error: error.value, run, stop };
}
