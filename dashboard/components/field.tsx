import './field.css';
import { cloneElement, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  /** The input, select or textarea, or an editable element with this id and `aria-labelledby`: the id and `-label`. */
  readonly children: VNode<Record<string, unknown>>;
}

/** A control with its label, a hint and an error, which screen readers read with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} id={`${id}-label`} onClick={() => document.getElementById(id)?.focus()}>
        {label}
      </label>
      {cloneElement(children, {
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error !== undefined || undefined,
      })}
      {hint && (
        <p class="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error small" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
