import './loading.css';
import { text } from '../messages/text.ts';

/** Shown while the first value of something loads. */
export function Loading() {
  return (
    <p class="loading muted" role="status">
      {text.common.loading}
    </p>
  );
}
