import { Button } from '../../components/button.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import type { SourceLink } from '../source/source-link.ts';

/** Scrolls the preview to the text at the cursor. */
export function ShowInPagesButton({ link }: { readonly link: SourceLink }) {
  if (!link.hasPages.value) return null;
  return (
    <Button
      title={messages.showInPagesHint}
      aria-keyshortcuts="Control+Alt+P Meta+Alt+P"
      onClick={() => void (link.reveals.value += 1)}
    >
      {messages.showInPages}
    </Button>
  );
}
