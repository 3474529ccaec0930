import { signal } from '@preact/signals';
import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import styles from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly message: string;
}

const SHOWN_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Confirms to the user, for six seconds, that something was done. Errors belong on the page, as an ErrorNotice. */
export function showToast(message: string): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, message }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class={styles.toasts} role="status">
      {toasts.value.map(({ id, message }) => (
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
