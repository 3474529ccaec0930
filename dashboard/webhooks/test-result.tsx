import type { WebhookTestResult } from '@trifold/client';
import { formatNumber } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';
import { webhooks as messages } from '../messages/webhooks.ts';

/** Answer of the endpoint to a test event. */
export function TestResult({ result }: { readonly result: WebhookTestResult }) {
  const { delivered, status, error, duration_ms } = result;
  const milliseconds = formatNumber(duration_ms);
  if (delivered && status !== null) {
    return <Notice kind="success">{messages.tested(status, milliseconds)}</Notice>;
  }
  return (
    <Notice kind="danger">
      <p>
        {messages.testFailed(milliseconds, error?.message ?? '')} {error && <code>{error.code}</code>}
      </p>
      <p>{messages.testRemedy}</p>
    </Notice>
  );
}
