import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
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
  /** Additional fields of the selected starter. They take the place of the large thumbnails. */
  readonly children: ComponentChildren;
}

/** Asks for a starter and a name. The name defaults to the starter's until the user types one. */
export function StarterForm({ starters, chosen, onChoose, onCreate, children }: StarterFormProps) {
  const typed = useSignal<string | undefined>(undefined);
  const isMissing = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  const { run, running, error } = useAction(onCreate);
  const name = typed.value ?? chosen?.template.name ?? '';
  const submit = (event: Event) => {
    event.preventDefault();
    isMissing.value = name.trim() === '';
    if (!isMissing.value) run(name.trim());
  };
  return (
    <form class={styles.form} onSubmit={submit} noValidate>
      <div class={styles.bar}>
        <Field label={messages.name} error={isMissing.value ? messages.nameMissing : undefined}>
          <input
            ref={input}
            name="name"
            maxLength={200}
            autocomplete="off"
            value={name}
            // Typing replaces the text. A click places the caret after the focus event.
            onFocus={({ currentTarget }) => requestAnimationFrame(() => currentTarget.select())}
            onInput={({ currentTarget }) => void (typed.value = currentTarget.value)}
            required
          />
        </Field>
        <Button kind="primary" type="submit" busy={running.value}>
          {messages.create}
        </Button>
        <ErrorNotice error={error.value} />
      </div>
      <fieldset class={classes(styles.starters, children ? styles.compact : undefined)}>
        <legend>{messages.starter}</legend>
        {starters.map((starter) => (
          <StarterChoice
            key={starter.id}
            starter={starter}
            isChosen={starter.id === chosen?.id}
            onChoose={() => onChoose(starter.id)}
          />
        ))}
      </fieldset>
      {children && <div class={classes(styles.fields, 'stack')}>{children}</div>}
    </form>
  );
}

interface StarterChoiceProps {
  readonly starter: Starter;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function StarterChoice({ starter: { id, template, picture }, isChosen, onChoose }: StarterChoiceProps) {
  return (
    <label class={styles.starter}>
      {picture ? (
        <img class={styles.sheet} src={picture} alt="" loading="lazy" />
      ) : (
        <span class={styles.sheet} />
      )}
      <input type="radio" name="starter" value={id} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{template.name}</strong>
        <span class="small muted">{template.description}</span>
      </span>
    </label>
  );
}
