import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

/** Time for which the button confirms the copy. */
const SHOWN_MS = 2000;

/**
 * Copies the text that `element` shows. Where the browser denies clipboard access, for example on a plain HTTP page,
 * selects the text for the user to copy.
 */
export function useCopy<Shown extends HTMLElement>(value: string) {
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
