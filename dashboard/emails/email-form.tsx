import { useSignal, type Signal } from '@preact/signals';
import { parseJson, type TemplateSample } from '@trifold/client';
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
  /** Index of the shown sample; -1: none, or data that the user changed. */
  const chosen = useSignal(samples.length > 0 ? 0 : -1);
  const problem = useSignal<string | undefined>(undefined);
  const type = (value: string, sample = -1) => {
    typed.value = value;
    chosen.value = sample;
    const read = dataOf(value);
    problem.value = read.error;
    if (read.data) data.value = read.data;
  };
  return (
    <div class="stack">
      {samples.length > 0 && (
        <Field label={messages.sample}>
          <select
            name="sample"
            value={chosen.value}
            onChange={({ currentTarget: { value } }) =>
              type(textOf(samples[Number(value)]?.data ?? {}), Number(value))
            }
          >
            {chosen.value === -1 && <option value={-1}>{messages.ownData}</option>}
            <Options of={samples.map(({ name }, index) => [index, name] as const)} />
          </select>
        </Field>
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
