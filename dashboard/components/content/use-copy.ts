import { useSignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** How long the button shows that the text was copied. */
const SHOWN_MS = 2000;

/** A text that a button copies. */
interface Copy<Shown extends HTMLElement> {
  /** The element that contains the text. */
  readonly element: RefObject<Shown | null>;
  readonly state: Signal<'copy' | 'copied' | 'selected'>;
  readonly copy: () => Promise<void>;
}

/**
 * Copies a text that is shown. Where the browser denies clipboard access, for example on a plain HTTP page, selects the
 * text for the user to copy.
 */
export function useCopy<Shown extends HTMLElement>(value: string): Copy<Shown> {
  const element = useRef<Shown>(null);
  const state = useSignal<'copy' | 'copied' | 'selected'>('copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      state.value = 'copied';
      setTimeout(() => void (state.value = 'copy'), SHOWN_MS);
    } catch {
      if (element.current) getSelection()?.selectAllChildren(element.current);
      state.value = 'selected';
    }
  };
  return { element, state, copy };
}
