import { useComputed } from '@preact/signals';
import { formatBytes } from '../../components/format.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { useSession } from '../../session/session.ts';
import { bytesOf } from './draft.ts';
import type { EditedTemplate } from './edited-template.ts';

const NEARLY_FULL = 0.8;

/** How much of the allowed size the HTML and CSS take. */
export function SizeMeter({ edited }: { readonly edited: EditedTemplate }) {
  const { signedIn } = useSession();
  const bytes = useComputed(() => bytesOf(edited.draft.value)).value;
  const most = signedIn.value?.limits.max_template_bytes;
  if (most === undefined) return null;
  const shown = messages.size(formatBytes(bytes), formatBytes(most));
  return (
    <div class="size-meter small">
      <meter min={0} max={most} high={most * NEARLY_FULL} optimum={0} value={bytes} aria-label={shown} />
      <span class={bytes > most ? 'field-error' : 'muted'}>
        {shown}
        {bytes > most && ` ${messages.tooLarge}`}
      </span>
    </div>
  );
}
