import { Choice, Field, Options } from '../../components/controls/field.tsx';
import { options as messages } from '../../messages/template-editor.ts';
import { isValid, type Option } from './edit-options.ts';

const TIME_ZONES = Intl.supportedValuesOf('timeZone');

interface OptionFieldProps {
  readonly option: Option;
  /** Undefined: the service's default. */
  readonly value: unknown;
  /** Undefined removes the option. */
  readonly onChange: (value: unknown) => void;
}

/** The field of an option that is neither a group nor HTML. */
export function OptionField(props: OptionFieldProps) {
  const { kind } = props.option;
  if (kind === 'flag') return <SwitchField {...props} />;
  if (kind === 'list') return <ListField {...props} />;
  return kind === 'choice' ? <SelectField {...props} /> : <TextField {...props} />;
}

function TextField({ option, value = '', onChange }: OptionFieldProps) {
  const { name, kind, label, description, accepts = '' } = option;
  const isNumber = kind === 'number';
  const error = value === '' || isValid(option, value) ? undefined : messages.expected(accepts);
  const change = (written: string) => onChange(isNumber ? Number(written) : written);
  return (
    <>
      <Field label={label} error={error} {...(kind === 'text' && { hint: description })}>
        <input
          value={String(value)}
          placeholder={String(option.default ?? '')}
          list={`${name}-values`}
          type={isNumber ? 'number' : 'text'}
          step="any"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value: written } }) => {
            if (written.trim() === '') onChange(undefined);
            else change(written.trim());
          }}
        />
      </Field>
      {name === 'time_zone' && (
        <datalist id={`${name}-values`}>
          {TIME_ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </>
  );
}

function ListField({ option: { label, description }, value, onChange }: OptionFieldProps) {
  const lines = Array.isArray(value) ? value.join('\n') : '';
  return (
    <Field label={label} hint={messages.onePerLine(description)}>
      <textarea
        value={lines}
        rows={3}
        onInput={({ currentTarget: { value: written } }) => {
          onChange(written === '' ? undefined : written.split('\n'));
        }}
      />
    </Field>
  );
}

function SelectField({ option, value = '', onChange }: OptionFieldProps) {
  const { label, values = [], default: byDefault } = option;
  return (
    <Field label={label}>
      <select
        value={String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        <option value="">{messages.byDefault(capitalized(String(byDefault)))}</option>
        <Options of={values.map((choice) => [choice, capitalized(choice)] as const)} />
      </select>
    </Field>
  );
}

function SwitchField({ option, value, onChange }: OptionFieldProps) {
  const { label, default: byDefault } = option;
  return (
    <Choice
      checked={Boolean(value ?? byDefault)}
      onChange={({ currentTarget: { checked } }) => onChange(checked === byDefault ? undefined : checked)}
    >
      {label}
    </Choice>
  );
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
