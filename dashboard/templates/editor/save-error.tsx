import { ConflictError } from '@trifold/client';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { InvalidPartError } from './edited-template.ts';

interface SaveErrorProps {
  readonly error: unknown;
  /** Whether this browser keeps the changes. */
  readonly isKept: boolean;
}

/** Why the last save failed, and whether the changes are safe. A version conflict has a dialog instead. */
export function SaveError({ error, isKept }: SaveErrorProps) {
  return (
    <>
      {error instanceof InvalidPartError ? (
        <Notice kind="danger">{messages.invalidPart(messages.parts[error.part], error.message)}</Notice>
      ) : (
        error !== undefined && !isVersionConflict(error) && <ErrorNotice error={error} />
      )}
      {!isKept && <Notice kind="warning">{messages.notKept}</Notice>}
    </>
  );
}

export function isVersionConflict(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'version_conflict';
}
