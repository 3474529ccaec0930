import type { DeliveryAttempt, WebhookDelivery } from '@trifold/client';
import { classes } from '../../components/classes.ts';
import { Badge } from '../../components/content/badge.tsx';
import { CodeBlock } from '../../components/content/code-block.tsx';
import { Time } from '../../components/content/time.tsx';
import { formatMilliseconds, formatNumber } from '../../components/format.ts';
import { ErrorText } from '../../documents/problem.tsx';
import { deliveries as messages } from '../../messages/webhooks.ts';
import styles from './deliveries.module.css';

/** The attempts of a delivery, newest first. */
export function Attempts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const attempts = delivery.attempts.toReversed();
  return (
    <section class="stack" aria-labelledby="attempts">
      <h2 id="attempts">{messages.attempts}</h2>
      <p class="small muted">{attempts.length === 0 ? messages.noAttempts : messages.attemptsOrder}</p>
      <ol class={styles.attempts} reversed>
        {attempts.map((attempt, index) => (
          <li class="card stack" key={attempt.id}>
            <Attempt attempt={attempt} event={delivery.event_type} number={attempts.length - index} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface AttemptProps {
  readonly attempt: DeliveryAttempt;
  readonly event: string;
  /** Position, oldest first, which identifies the attempt for screen readers. */
  readonly number: number;
}

function Attempt({ attempt, event, number }: AttemptProps) {
  const { id, at, duration_ms, status, error, answer } = attempt;
  const label = (part: string) => messages.ofAttempt(part, formatNumber(number));
  const headers = [
    'Content-Type: application/json',
    `X-Trifold-Event: ${event}`,
    `X-Trifold-Delivery-ID: ${id}`,
  ].join('\n');
  return (
    <>
      <div class="row">
        <h3>
          <Time at={at} isExact />
        </h3>
        {status !== null && <Badge kind={error ? 'danger' : 'success'}>{status}</Badge>}
        <span class="muted">{formatMilliseconds(duration_ms)}</span>
      </div>
      {error && (
        <p>
          <ErrorText error={error} />
        </p>
      )}
      <div class={classes(styles.part, 'stack')}>
        <h4>{messages.headers}</h4>
        <CodeBlock code={headers} label={label(messages.headers)} />
        <p class="small muted">{messages.headersNote}</p>
      </div>
      {status !== null && (
        <div class={classes(styles.part, 'stack')}>
          <h4>{messages.answer}</h4>
          {answer ? (
            <>
              <pre class={styles.answer} role="region" aria-label={label(messages.answer)} tabIndex={0}>
                {answer}
              </pre>
              <p class="small muted">{messages.answerNote}</p>
            </>
          ) : (
            <p class="muted">{messages.noAnswerBody}</p>
          )}
        </div>
      )}
    </>
  );
}
