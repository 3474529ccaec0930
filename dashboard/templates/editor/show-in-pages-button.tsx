import { Button } from '../../components/button.tsx';
import { text } from '../../messages/text.ts';
import type { SourceLink } from '../source/source-link.ts';

const { editor: messages } = text;

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
