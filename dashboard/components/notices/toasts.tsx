import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import styles from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly message: string;
  /** Path of the page that the toast belongs to. Other pages do not show it. */
  readonly path: string;
}

const SHOWN_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/**
 * Confirms to the user, for six seconds, that something was done. Errors belong on the page, as an ErrorNotice. `path`:
 * the page's path, for an action during which the user may go to another page.
 */
export function showToast(message: string, path = location.pathname): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, message, path }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function Toasts() {
  // Renders again on another page.
  useLocation();
  const shown = toasts.value.filter(({ path }) => path === location.pathname);
  return (
    <div class={styles.toasts} role="status">
      {shown.map(({ id, message }) => (
        <div class={styles.toast} key={id}>
          <span>{message}</span>
          <Button icon="close" aria-label={text.common.dismiss} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
