import { TrifoldError } from '@trifold/client';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import REMEDIES from '../generated/remedies.json';
import styles from './documents.module.css';

interface ErrorProps {
  readonly error: { readonly code: string; readonly message: string };
}

export function ErrorText({ error: { code, message } }: ErrorProps) {
  return (
    <>
      {message} (<code>{code}</code>)
    </>
  );
}

/** The reason that a document or batch failed, with its remedy. */
export function Failure({ error }: ErrorProps) {
  const remedy = remedyOf(error.code);
  return (
    <Notice kind="danger">
      <p>
        <ErrorText error={error} />
      </p>
      {remedy && <p>{remedy}</p>}
    </Notice>
  );
}

/** The error from a download or deletion, if any, and what to do about it. */
export function ActionError({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const remedy = error instanceof TrifoldError ? remedyOf(error.code) : undefined;
  return (
    <div class={styles.actionError}>
      <ErrorNotice error={error} />
      {remedy && <p>{remedy}</p>}
    </div>
  );
}

/** Returns the remedy for an error or a warning; undefined for a code from another version. */
export function remedyOf(code: string): string | undefined {
  return (REMEDIES as Readonly<Record<string, string>>)[code];
}
