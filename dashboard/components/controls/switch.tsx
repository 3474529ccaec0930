import { useId } from 'preact/hooks';
import styles from './switch.module.css';

interface SwitchProps<Value extends string> {
  /** What the switch selects, for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A choice between a few values; one is always selected. */
export function Switch<Value extends string>({ label, choices, value, onChange }: SwitchProps<Value>) {
  const name = useId();
  return (
    <fieldset class={styles.switch}>
      <legend class="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Returns the choices for a record of labels, in its order. */
export function choicesOf<Value extends string>(
  labels: Readonly<Record<Value, string>>,
): readonly Choice<Value>[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}
