import { useSignal, type Signal } from '@preact/signals';
import { parseJson, type TemplateSample } from '@trifold/client';
import { useMemo } from 'preact/hooks';
import { Field, Options } from '../components/controls/field.tsx';
import { emails as messages } from '../messages/emails.ts';
import { isObject } from '../templates/json-text.ts';
import styles from './emails.module.css';

/** Values of bindings. */
export type Data = Readonly<Record<string, unknown>>;

interface EmailFormProps {
  readonly samples: readonly TemplateSample[];
  /** The last valid data. */
  readonly data: Signal<Data>;
}

/** The data of an email, initially the template's first sample. */
export function EmailForm({ samples, data }: EmailFormProps) {
  const typed = useSignal(textOf(data.peek()));
  const problem = useSignal<string | undefined>(undefined);
  const type = (value: string) => {
    typed.value = value;
    const read = dataOf(value);
    problem.value = read.error;
    if (read.data) data.value = read.data;
  };
  return (
    <div class="stack">
      {samples.length > 0 && (
        <SampleSelect samples={samples} typed={typed.value} onChoose={(sample) => type(textOf(sample))} />
      )}
      <Field label={messages.data} error={problem.value}>
        <textarea
          class={styles.data}
          name="data"
          rows={10}
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </Field>
    </div>
  );
}

interface SampleSelectProps {
  readonly samples: readonly TemplateSample[];
  readonly typed: string;
  readonly onChoose: (data: Data) => void;
}

function SampleSelect({ samples, typed, onChoose }: SampleSelectProps) {
  // Samples may be large, and the user types.
  const texts = useMemo(() => samples.map(({ data }) => textOf(data)), [samples]);
  const shown = texts.indexOf(typed);
  return (
    <Field label={messages.sample}>
      <select
        name="sample"
        value={shown}
        onChange={({ currentTarget }) => {
          const sample = samples[Number(currentTarget.value)];
          if (sample) onChoose(sample.data);
        }}
      >
        {shown === -1 && <option value={-1}>{messages.ownData}</option>}
        <Options of={samples.map(({ name }, index) => [index, name] as const)} />
      </select>
    </Field>
  );
}

function textOf(data: Data): string {
  return JSON.stringify(data, null, 2);
}

/** Parses data that the user typed. Returns the data, or what is wrong with it. */
function dataOf(typed: string): { readonly data?: Data; readonly error?: string } {
  let value: unknown;
  try {
    value = parseJson(typed);
  } catch (error) {
    return { error: messages.notJson(error instanceof Error ? error.message : '') };
  }
  return isObject(value) ? { data: value } : { error: messages.notObject };
}
