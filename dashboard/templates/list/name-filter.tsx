import './list-filter.css';
import type { ComponentChildren } from 'preact';
import { Field } from '../../components/field.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { templates as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';

/** The longest text that the service searches, in characters. */
const LONGEST_SEARCH = 200;

interface NameFilterProps {
  /** Part of the name. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** More filters. */
  readonly children?: ComponentChildren;
}

/** Searches templates by name. */
export function NameFilter({ value, onChange, children }: NameFilterProps) {
  return (
    <form class="list-filter row" role="search" onSubmit={(event) => event.preventDefault()}>
      <Field label={text.common.search}>
        <SearchInput
          name="q"
          maxLength={LONGEST_SEARCH}
          placeholder={messages.searchHint}
          value={value}
          onChange={onChange}
        />
      </Field>
      {children}
    </form>
  );
}
