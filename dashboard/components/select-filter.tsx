import { text } from '../messages/text.ts';
import { Field } from './field.tsx';

interface SelectFilterProps {
  readonly label: string;
  readonly name: string;
  /** @default any */
  readonly value: string | undefined;
  /** Values with their labels. */
  readonly options: Iterable<readonly [value: string, label: string]>;
  /** Called with an empty text for any. */
  readonly onChange: (value: string) => void;
}

/** A filter of a list that offers some values. A change takes effect at once. */
export function SelectFilter({ label, name, value = '', options, onChange }: SelectFilterProps) {
  return (
    <Field label={label}>
      <select name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{text.common.any}</option>
        {[...options].map(([option, shown]) => (
          <option value={option} key={option}>
            {shown}
          </option>
        ))}
      </select>
    </Field>
  );
}
