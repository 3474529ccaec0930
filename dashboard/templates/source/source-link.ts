import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { signal, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { createContext } from 'preact';
import type { RevealTarget } from '../code/reveal-target.ts';

/** Connects the HTML of a template with the pages of its preview. */
export class SourceLink {
  /** What the preview shows; undefined until it has the latest change. */
  readonly request: ReadonlySignal<PreviewRequest | undefined>;
  /** Position of the cursor in the HTML. */
  readonly cursor = signal(0);
  /** Whether pages of the preview are shown. */
  readonly hasPages = signal(false);
  /** Part of a text that the editor should select. */
  readonly revealTarget = signal<RevealTarget | undefined>(undefined);
  /** How often the user asked to see in the pages what the cursor is in. */
  readonly reveals = signal(0);

  constructor(request: ReadonlySignal<PreviewRequest | undefined>) {
    this.request = request;
  }
}

/** The HTML that a preview belongs to; undefined where the person cannot go to it. */
export const LinkedSource = createContext<SourceLink | undefined>(undefined);

/** Whether a key goes to the other side: from the text to the page, or back. AltGr, which types letters, does not. */
export function isLinkKey(event: KeyboardEvent): boolean {
  const { code, ctrlKey, metaKey, altKey } = event;
  return code === 'KeyP' && altKey && (ctrlKey || metaKey) && !event.getModifierState('AltGraph');
}

/** Links the editor of the HTML. */
export function linkedText(link: SourceLink): Extension {
  return [
    EditorView.updateListener.of(({ state }) => void (link.cursor.value = state.selection.main.head)),
    EditorView.domEventHandlers({
      keydown: (event) => isLinkKey(event) && (link.reveals.value += 1) > 0,
    }),
  ];
}
