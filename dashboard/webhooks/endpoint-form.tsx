import { useSignal } from '@preact/signals';
import type { SubscribableEvent, WebhookDestination } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { Choices, Field } from '../components/controls/field.tsx';
import { FormDialog } from '../components/notices/form-dialog.tsx';
import { useAction, type Perform } from '../loading/action.ts';
import { webhooks as messages } from '../messages/webhooks.ts';

const EVENTS = Object.entries(messages.eventMeanings) as [SubscribableEvent, string][];

const LABELS = { '/url': messages.url, '/events': messages.events };

interface EndpointFormProps {
  readonly title: string;
  /** Values before the change. @default no URL, all events */
  readonly current?: WebhookDestination | undefined;
  /** Label of the save button. */
  readonly submit: string;
  /** Saves the endpoint. `values`: all form values, including the values from `children`. */
  readonly onSubmit: Perform<[destination: WebhookDestination, values: FormData]>;
  readonly onClose: () => void;
  /** Fields before the URL. */
  readonly children?: ComponentChildren;
}

/** Dialog for a destination: its URL and its events. */
export function EndpointForm({ current, onSubmit, children, ...dialog }: EndpointFormProps) {
  const urlMissing = useSignal(false);
  const eventsMissing = useSignal(false);
  const save = useAction(onSubmit);
  const check = (values: FormData) => {
    const url = (values.get('url') as string).trim();
    const events = values.getAll('events') as SubscribableEvent[];
    urlMissing.value = url === '';
    eventsMissing.value = events.length === 0;
    if (url === '' || events.length === 0) return;
    // Without events, the endpoint receives all of them.
    save.run({ url, ...(events.length < EVENTS.length && { events }) }, values);
  };
  return (
    <FormDialog {...dialog} action={save} onSubmit={check} labels={LABELS}>
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
    </FormDialog>
  );
}
