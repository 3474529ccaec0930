import { Field, Options } from '../components/controls/field.tsx';
import { usage as messages } from '../messages/usage.ts';
import type { Keys } from './counts.ts';
import type { Period, Range } from './period.ts';
import styles from './usage.module.css';

interface PeriodPickerProps {
  readonly period: Period & { readonly range: Range };
  readonly keys: Keys;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

/** Selects the period, the length of its entries and the keys. A change takes effect immediately. */
export function PeriodPicker({ period, keys, onChange }: PeriodPickerProps) {
  const { range, from, to, granularity } = period;
  const change = (name: string) => (event: Event) =>
    onChange({ [name]: (event.currentTarget as HTMLInputElement | HTMLSelectElement).value });
  const changeRange = (event: Event) => {
    const chosen = (event.currentTarget as HTMLSelectElement).value;
    // The custom period starts with the days that are shown.
    const days = chosen === 'custom' ? { from, to } : { from: undefined, to: undefined };
    onChange({ range: chosen, ...days, by: undefined, bill: undefined });
  };
  return (
    <div class={styles.picker} role="group" aria-label={messages.picker}>
      <Field label={messages.range}>
        <select name="range" value={range} onChange={changeRange}>
          <Options of={Object.entries(messages.ranges)} />
        </select>
      </Field>
      {range === 'custom' && (
        <>
          <Field label={messages.from}>
            <input type="date" name="from" value={from} onChange={change('from')} required />
          </Field>
          <Field label={messages.to}>
            <input type="date" name="to" value={to} onChange={change('to')} required />
          </Field>
        </>
      )}
      <Field label={messages.by}>
        <select name="by" value={granularity} onChange={change('by')}>
          <Options of={Object.entries(messages.granularities)} />
        </select>
      </Field>
      <Field label={messages.keys}>
        <select name="keys" value={keys} onChange={change('keys')}>
          <Options of={Object.entries(messages.keyTypes)} />
        </select>
      </Field>
    </div>
  );
}
