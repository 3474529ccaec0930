import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';

const { options: messages } = text;
const LENGTH = /^\d+(?:\.\d{1,4})?(?:in|mm|px)$/;

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  /** The default of the service. */
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  /** Id of a datalist. */
  readonly list?: string;
  /** @default 'text' */
  readonly type?: 'text' | 'number';
  readonly error?: string | undefined;
}

export function TextField({ label, onChange, error, type = 'text', ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error}>
      <input
        {...input}
        type={type}
        step={type === 'number' ? 'any' : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    </Field>
  );
}

/** A length with its unit. */
export function LengthField(props: Omit<TextFieldProps, 'list' | 'type' | 'error'>) {
  const isValid = props.value === '' || LENGTH.test(props.value);
  return <TextField {...props} error={isValid ? undefined : messages.lengthInvalid} />;
}

interface SelectFieldProps {
  readonly label: string;
  /** Undefined: the default of the service. */
  readonly value: string | undefined;
  readonly choices: Readonly<Record<string, string>>;
  readonly onChange: (value: string | undefined) => void;
}

export function SelectField({ label, value, choices, onChange }: SelectFieldProps) {
  return (
    <Field label={label}>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        {Object.entries(choices).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface SwitchFieldProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function SwitchField({ label, checked, onChange }: SwitchFieldProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
