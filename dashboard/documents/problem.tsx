import { TrifoldError } from '@trifold/client';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import REMEDIES from '../generated/remedies.json';
import styles from './documents.module.css';

/** Why a document or batch failed, and what to do about it. */
export function Failure({ error }: { readonly error: { readonly code: string; readonly message: string } }) {
  const remedy = remedyOf(error.code);
  return (
    <Notice kind="danger">
      <p>
        {error.message} (<code>{error.code}</code>)
      </p>
      {remedy && <p>{remedy}</p>}
    </Notice>
  );
}

/** The error from a download or deletion, and what to do about it. */
export function ActionError({ error }: { readonly error: unknown }) {
  const remedy = error instanceof TrifoldError ? remedyOf(error.code) : undefined;
  return (
    <div class={styles.actionError}>
      <ErrorNotice error={error} />
      {remedy && <p>{remedy}</p>}
    </div>
  );
}

/** Returns what to do about an error or a warning; undefined for a code from another version. */
export function remedyOf(code: string): string | undefined {
  return (REMEDIES as Readonly<Record<string, string>>)[code];
}
