import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../components/controls/button.tsx';
import { Field } from '../../components/controls/field.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useAction } from '../../loading/action.ts';
import { gallery as messages } from '../../messages/template-pages.ts';
import type { Starter } from './starters.ts';
import styles from './gallery-page.module.css';

interface StarterFormProps {
  readonly starters: readonly Starter[];
  readonly chosen: Starter | undefined;
  readonly onChoose: (id: string) => void;
  readonly onCreate: (name: string) => Promise<void>;
  /** Additional fields of the selected starter. */
  readonly children: ComponentChildren;
}

/** Asks for a starter and a name. The name defaults to the starter's until the user types one. */
export function StarterForm({ starters, chosen, onChoose, onCreate, children }: StarterFormProps) {
  const typed = useSignal<string | undefined>(undefined);
  const isMissing = useSignal(false);
  const { run, running, error } = useAction(onCreate);
  const name = typed.value ?? chosen?.template.name ?? '';
  const submit = (event: Event) => {
    event.preventDefault();
    isMissing.value = name.trim() === '';
    if (!isMissing.value) run(name.trim());
  };
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <fieldset class={styles.starters}>
        <legend>{messages.starter}</legend>
        {starters.map(({ id, template, picture }) => (
          <label class={styles.starter} key={id}>
            <input
              type="radio"
              name="starter"
              value={id}
              checked={id === chosen?.id}
              onChange={() => onChoose(id)}
            />
            <span>
              <strong>{template.name}</strong>
              <span class="small muted">{template.description}</span>
            </span>
            {picture && <img src={picture} alt="" loading="lazy" />}
          </label>
        ))}
      </fieldset>
      {children}
      <Field label={messages.name} error={isMissing.value ? messages.nameMissing : undefined}>
        <input
          name="name"
          maxLength={200}
          autocomplete="off"
          value={name}
          onInput={(event) => void (typed.value = event.currentTarget.value)}
          required
        />
      </Field>
      {error.value !== undefined && <ErrorNotice error={error.value} />}
      <Button kind="primary" type="submit" busy={running.value}>
        {messages.create}
      </Button>
    </form>
  );
}
