import { signal, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { createContext } from 'preact';
import type { TextRange } from '../code/text-position.ts';

/** Connects the text of a template with the pages of its preview. */
export class SourceLink {
  /** What the preview shows; undefined until it has the latest change. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Position of the cursor in the HTML. */
  readonly cursor = signal(0);
  /** Whether pages of the preview are shown. */
  readonly hasPages = signal(false);
  /** Where the person wants to go in the HTML. */
  readonly wanted = signal<TextRange | undefined>(undefined);
  /** How often the person wanted to see in the pages what the cursor is in. */
  readonly reveals = signal(0);

  constructor(request: ReadonlySignal<PreviewRequest | undefined>) {
    this.request = request;
  }

  /** Scrolls the pages to what the cursor is in. */
  reveal(): void {
    this.reveals.value += 1;
  }
}

/** The text that a preview belongs to; undefined where there is none to go to. */
export const LinkedSource = createContext<SourceLink | undefined>(undefined);

/** Whether a key goes to the other side: from the text to the page, or back. AltGr, which types letters, does not. */
export function isLinkKey(event: KeyboardEvent): boolean {
  const { code, ctrlKey, metaKey, altKey } = event;
  return code === 'KeyP' && altKey && (ctrlKey || metaKey) && !event.getModifierState('AltGraph');
}
