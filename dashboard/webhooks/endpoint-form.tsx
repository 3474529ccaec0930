import { useSignal } from '@preact/signals';
import type { SubscribableEvent, WebhookDestination } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../components/controls/button.tsx';
import { Choices, Field } from '../components/controls/field.tsx';
import { DialogActions } from '../components/notices/dialog.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { useAction, type Perform } from '../loading/action.ts';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';

const EVENTS = Object.entries(messages.eventMeanings) as [SubscribableEvent, string][];

const LABELS: Readonly<Record<string, string>> = { '/url': messages.url, '/events': messages.events };

interface EndpointFormProps {
  /** Values before the change. @default no URL, all events */
  readonly current?: WebhookDestination | undefined;
  /** Label of the save button. */
  readonly submit: string;
  /** Saves the endpoint. `values`: all form values, including those of `children`. */
  readonly onSubmit: Perform<[destination: WebhookDestination, values: FormData]>;
  readonly onClose: () => void;
  /** Fields before the URL. */
  readonly children?: ComponentChildren;
}

/** Form for a destination: its URL and its events. */
export function EndpointForm({ current, submit, onSubmit, onClose, children }: EndpointFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const urlMissing = useSignal(false);
  const eventsMissing = useSignal(false);
  const { run, running, error } = useAction(onSubmit);
  const save = (event: Event) => {
    event.preventDefault();
    if (!form.current) return;
    const values = new FormData(form.current);
    const url = (values.get('url') as string).trim();
    const events = values.getAll('events') as SubscribableEvent[];
    urlMissing.value = url === '';
    eventsMissing.value = events.length === 0;
    // Without events, the endpoint receives all of them.
    if (url !== '' && events.length > 0)
      run({ url, ...(events.length < EVENTS.length && { events }) }, values);
  };
  return (
    <form class="stack" ref={form} onSubmit={save} noValidate>
      {children}
      <Field
        label={messages.url}
        hint={messages.urlHint}
        error={urlMissing.value ? messages.urlMissing : undefined}
      >
        <input
          name="url"
          type="url"
          defaultValue={current?.url ?? ''}
          maxLength={2048}
          autocomplete="off"
          spellcheck={false}
          required
        />
      </Field>
      <Choices
        label={messages.events}
        name="events"
        choices={EVENTS}
        chosen={current?.events}
        error={eventsMissing.value ? messages.eventsMissing : undefined}
      />
      {error.value !== undefined && <ErrorNotice error={error.value} labelOf={(path) => LABELS[path]} />}
      <DialogActions>
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={running.value}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  );
}
