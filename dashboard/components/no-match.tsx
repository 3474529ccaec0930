import { text } from '../messages/text.ts';
import { Button } from './button.tsx';

/** Shown instead of a list in which nothing matches the filters. */
export function NoMatch({ message, onClear }: { readonly message: string; readonly onClear: () => void }) {
  return (
    <div class="stack">
      <p>{message}</p>
      <p>
        <Button onClick={onClear}>{text.common.clearFilters}</Button>
      </p>
    </div>
  );
}
