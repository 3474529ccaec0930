import './list-filter.css';
import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import type { TemplateStatus } from '@trifold/client';
import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';

const { templates: messages } = text;
const STATUSES = Object.entries(messages.statuses);
const DELAY_MS = 200;
const LONGEST_SEARCH = 200;

interface ListFilterProps {
  /** Undefined: any. */
  readonly status: Signal<TemplateStatus | undefined>;
  /** Part of the name; empty: any. It changes when the person pauses. */
  readonly search: Signal<string>;
}

/** Which templates the list shows. */
export function ListFilter({ status, search }: ListFilterProps) {
  const typed = useSignal(search.value);
  useSignalEffect(() => {
    const wanted = typed.value.trim();
    const timer = setTimeout(() => void (search.value = wanted), DELAY_MS);
    return () => clearTimeout(timer);
  });
  return (
    <form class="list-filter row" role="search" onSubmit={(event) => event.preventDefault()}>
      <Field label={text.common.search}>
        <input
          type="search"
          maxLength={LONGEST_SEARCH}
          autocomplete="off"
          placeholder={messages.searchHint}
          value={typed.value}
          onInput={({ currentTarget }) => void (typed.value = currentTarget.value)}
        />
      </Field>
      <Field label={messages.status}>
        <select
          value={status.value ?? ''}
          onChange={({ currentTarget }) =>
            void (status.value = (currentTarget.value as TemplateStatus) || undefined)
          }
        >
          <option value="">{messages.anyStatus}</option>
          {STATUSES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
    </form>
  );
}
