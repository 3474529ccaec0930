import { useId } from 'preact/hooks';
import styles from './switch.module.css';

interface SwitchProps<Value extends string> {
  /** Accessible name of the switch. */
  readonly label: string;
  /** Values with their labels, in order. */
  readonly choices: Readonly<Partial<Record<Value, string>>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice between a few values; one is always selected. */
export function Switch<Value extends string>({ label, choices, value, onChange }: SwitchProps<Value>) {
  const name = useId();
  return (
    <fieldset class={styles.switch}>
      <legend class="visually-hidden">{label}</legend>
      {(Object.entries(choices) as [Value, string][]).map(([choice, meaning]) => (
        <label key={choice}>
          <input
            type="radio"
            name={name}
            value={choice}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          <span>{meaning}</span>
        </label>
      ))}
    </fieldset>
  );
}
