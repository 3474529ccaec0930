import { useSignal } from '@preact/signals';
import type { Template } from '@trifold/client';
import { useEffect } from 'preact/hooks';
import { Button } from '../../components/controls/button.tsx';
import { formatAgo } from '../../components/format.ts';
import { errorMessage, Notice } from '../../components/notices/notice.tsx';
import { showToast } from '../../components/notices/toasts.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { historyPath, templatePath } from '../paths.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

/** Says that another user saved a version. The editor checks for it when the user returns to the page. */
export function NewerVersion({ edited }: { readonly edited: EditedTemplate }) {
  const { client } = useSession();
  const found = useSignal<Template | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      // A failure surfaces when the user saves.
      client.templates.get(edited.id).then(
        (template) => void (found.value = template),
        () => undefined,
      );
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  const newer = found.value;
  if (!newer || newer.version <= edited.saved.value.version) return null;
  const isChanged = edited.isChanged.value;
  const load = () =>
    void edited
      .load(newer)
      .catch((error: unknown) => showToast(errorMessage(error), templatePath(edited.id)));
  return (
    <Notice kind="warning">
      <div class="row">
        <span>
          {messages.newerVersion(newer.version, formatAgo(newer.updated_at))}
          {isChanged && ` ${messages.newerVersionChanged}`}
        </span>
        <a href={historyPath(edited.id, newer.version)} target="_blank" rel="noreferrer">
          {messages.seeTheirs}
        </a>
        <Button onClick={load}>{isChanged ? messages.discardAndLoad : messages.loadNewer}</Button>
        <Button kind="quiet" onClick={() => void (found.value = undefined)}>
          {text.common.dismiss}
        </Button>
      </div>
    </Notice>
  );
}
