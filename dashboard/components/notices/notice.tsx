import { ConnectionError, MissingScopesError, RateLimitError, TrifoldError } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { isFetchFailure } from '../../loading/resource.ts';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import { Icon } from '../content/icon.tsx';
import { Button } from '../controls/button.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  /** @default 'info' */
  readonly kind?: 'info' | 'success' | 'warning' | 'danger';
  readonly children: ComponentChildren;
}

/** A persistent message on the page. */
export function Notice({ kind = 'info', children }: NoticeProps) {
  return (
    <div class={classes(styles.notice, styles[kind])} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon name={kind} />
      <div class={styles.content}>{children}</div>
    </div>
  );
}

interface ErrorNoticeProps {
  /** Undefined: nothing is shown. */
  readonly error: unknown;
  /** Adds a button that retries. */
  readonly onRetry?: () => void;
  /** Returns the label of the field at a path in the request; undefined if it has none. */
  readonly labelOf?: (path: string) => string | undefined;
}

/** Shows a call's error, if any, and what to do about it. */
export function ErrorNotice({ error, onRetry, labelOf }: ErrorNoticeProps) {
  if (error === undefined) return null;
  const { code, details = [], requestId } = error instanceof TrifoldError ? error : {};
  // This message repeats the first detail.
  const isRepeated = code === 'invalid_request' && details.length > 0;
  return (
    <Notice kind="danger">
      <p>{isRepeated ? text.errors.invalid : errorMessage(error)}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && (
                <strong>{labelOf?.(path) ?? <code>{path.slice(1).replaceAll('/', '.')}</code>}:</strong>
              )}{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <p class="small">{text.errors.requestId(requestId)}</p>}
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          {text.common.retry}
        </Button>
      )}
    </Notice>
  );
}

/** Returns the user-facing sentence for an error. */
export function errorMessage(error: unknown): string {
  if (error instanceof MissingScopesError) return text.errors.forbidden(error.missingScopes.join(', '));
  if (error instanceof RateLimitError) {
    return text.errors.rateLimited(Math.ceil((error.retryAfterMs ?? 1000) / 1000));
  }
  if (error instanceof ConnectionError || isFetchFailure(error)) return text.errors.unreachable;
  return error instanceof Error ? error.message : text.errors.title;
}
