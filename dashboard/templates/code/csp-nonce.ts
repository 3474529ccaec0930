import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Gives an editor's style elements the nonce of the page's policy. */
export function cspNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  return EditorView.cspNonce.of(nonce);
}
