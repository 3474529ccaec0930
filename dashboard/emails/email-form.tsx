import { useSignal } from '@preact/signals';
import type { CompiledEmail, TemplateSample } from '@trifold/client';
import { Button } from '../components/controls/button.tsx';
import { Field } from '../components/controls/field.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import styles from './emails.module.css';

interface EmailFormProps {
  readonly templateId: string;
  readonly samples: readonly TemplateSample[];
  readonly onCompiled: (email: CompiledEmail) => void;
}

/** The data of an email, at first the first sample of the template, and the button that compiles it. */
export function EmailForm({ templateId, samples, onCompiled }: EmailFormProps) {
  const { client } = useSession();
  const typed = useSignal(textOf(samples[0]?.data));
  const problem = useSignal<string | undefined>(undefined);
  const compile = useAction(async (data: Data) =>
    onCompiled(await client.emails.compile({ template_id: templateId, data })),
  );
  const type = (value: string) => {
    typed.value = value;
    problem.value = undefined;
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const { data, error } = dataOf(typed.value);
    problem.value = error;
    if (data) compile.run(data);
  };
  return (
    <form class="stack" onSubmit={submit}>
      {samples.length > 0 && (
        <SampleSelect samples={samples} typed={typed.value} onChoose={(data) => type(textOf(data))} />
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
      <div class="row">
        <Button kind="primary" type="submit" busy={compile.running.value}>
          {messages.compile}
        </Button>
        <span class="small muted">{messages.compileNote}</span>
      </div>
      {compile.error.value !== undefined && <ErrorNotice error={compile.error.value} />}
    </form>
  );
}

interface SampleSelectProps {
  readonly samples: readonly TemplateSample[];
  readonly typed: string;
  readonly onChoose: (data: Data) => void;
}

function SampleSelect({ samples, typed, onChoose }: SampleSelectProps) {
  const shown = samples.findIndex(({ data }) => textOf(data) === typed);
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
        {samples.map(({ name }, index) => (
          <option value={index} key={name}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function textOf(data: Data = {}): string {
  return JSON.stringify(data, null, 2);
}

/** Values of bindings. */
export type Data = Readonly<Record<string, unknown>>;

/** Reads data that a person typed. Returns them, or what is wrong with them. */
function dataOf(typed: string): { readonly data?: Data; readonly error?: string } {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch (error) {
    return { error: messages.notJson(error instanceof Error ? error.message : '') };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { data: value as Data } : { error: messages.notObject };
}
