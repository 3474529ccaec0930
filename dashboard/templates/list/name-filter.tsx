import type { ComponentChildren } from 'preact';
import { classes } from '../../components/classes.ts';
import { Field } from '../../components/controls/field.tsx';
import { SearchInput, type FilterField } from '../../components/controls/filters.tsx';
import { templates as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import styles from './list.module.css';

/** Maximum length of a search string in the service, in characters. */
const MAX_SEARCH_LENGTH = 200;

interface NameFilterProps extends FilterField {
  /** More filters. */
  readonly children?: ComponentChildren;
}

/** Searches templates by name. */
export function NameFilter({ children, ...field }: NameFilterProps) {
  return (
    <form class={classes(styles.filter, 'row')} role="search" onSubmit={(event) => event.preventDefault()}>
      <Field label={text.common.search}>
        <SearchInput {...field} maxLength={MAX_SEARCH_LENGTH} placeholder={messages.searchHint} />
      </Field>
      {children}
    </form>
  );
}
