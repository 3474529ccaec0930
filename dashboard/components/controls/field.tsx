import { cloneElement, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import { classes } from '../classes.ts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Problem with the value. */
  readonly error?: string | undefined;
  /** The input, select or textarea, or an editable element with this ID and `aria-labelledby`: the ID and `-label`. */
  readonly children: VNode<Record<string, unknown>>;
}

/** A control with its label, a hint and an error, which screen readers read with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={styles.field}>
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
      {error && <FieldError id={`${id}-error`} error={error} />}
    </div>
  );
}

function FieldError({ id, error }: { readonly id?: string; readonly error: string }) {
  return (
    <p class={classes(styles.error, 'small')} id={id} role="alert">
      {error}
    </p>
  );
}

interface OptionsProps {
  /** Values with their labels. */
  readonly of: Iterable<readonly [value: string | number, label: string]>;
}

/** The options of a select. */
export function Options({ of: entries }: OptionsProps) {
  return (
    <>
      {[...entries].map(([value, label]) => (
        <option value={value} key={value}>
          {label}
        </option>
      ))}
    </>
  );
}

interface ChoiceProps {
  readonly name?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly defaultChecked?: boolean;
  readonly onChange?: (event: { readonly currentTarget: HTMLInputElement }) => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A checkbox with its label. */
export function Choice({ class: more, children, ...input }: ChoiceProps) {
  return (
    <label class={classes(styles.choice, more)}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  /** Values with their meanings. */
  readonly choices: readonly (readonly [value: Value, meaning: string])[];
  /** @default all */
  readonly chosen?: readonly Value[] | undefined;
  readonly error: string | undefined;
}

/** Names for the user to choose from. */
export function Choices<Value extends string>({ label, name, choices, chosen, error }: ChoicesProps<Value>) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(([value, meaning]) => (
        <Choice key={value} name={name} value={value} defaultChecked={chosen?.includes(value) ?? true}>
          <code>{value}</code> <span class="muted">{meaning}</span>
        </Choice>
      ))}
      {error !== undefined && <FieldError error={error} />}
    </fieldset>
  );
}
