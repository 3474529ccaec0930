import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { signal, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { createContext } from 'preact';
import type { RevealTarget } from '../code/reveal-target.ts';

/** Links a template's HTML with its preview pages. */
export class SourceLink {
  /** Request whose result the preview shows; undefined until the preview has the latest change. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Position of the cursor in the HTML. */
  readonly cursor = signal(0);
  /** Whether preview pages are shown. */
  readonly hasPages = signal(false);
  /** Range of text that the editor should select. */
  readonly revealTarget = signal<RevealTarget | undefined>(undefined);
  /** Number of times the user asked to show the text at the cursor in the pages. */
  readonly reveals = signal(0);

  constructor(request: ReadonlySignal<PreviewRequest | undefined>) {
    this.request = request;
  }
}

/** The HTML that a preview belongs to; undefined where the user cannot navigate to it. */
export const LinkedSource = createContext<SourceLink | undefined>(undefined);

/** Whether a key press goes to the other side: from text to page, or back. AltGr, which types letters, does not. */
export function isLinkKey(event: KeyboardEvent): boolean {
  const { code, ctrlKey, metaKey, altKey } = event;
  return code === 'KeyP' && altKey && (ctrlKey || metaKey) && !event.getModifierState('AltGraph');
}

/** Links the editor of the HTML. */
export function linkedText(link: SourceLink): Extension {
  return [
    EditorView.updateListener.of(({ state }) => void (link.cursor.value = state.selection.main.head)),
    EditorView.domEventHandlers({ keydown: (event) => isLinkKey(event) && (link.reveals.value += 1) > 0 }),
  ];
}
