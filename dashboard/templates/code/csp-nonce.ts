import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Lets the style elements of an editor carry the nonce of the page's policy. */
export function cspNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  return EditorView.cspNonce.of(nonce);
}
