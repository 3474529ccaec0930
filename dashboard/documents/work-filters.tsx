import '../components/filters.css';
import './documents.css';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { text } from '../messages/text.ts';
import type { TemplateNames } from './template-names.ts';
import { memberOf, type WorkFilter } from './work-filter.ts';

const { documents: messages } = text;

/** Milliseconds without a key press before a search starts. */
const DEBOUNCE_MS = 300;

interface WorkFiltersProps {
  readonly filter: WorkFilter;
  readonly templates: TemplateNames;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** Filters of a list of documents or batches. A change takes effect at once. */
export function WorkFilters({ filter, templates, onChange }: WorkFiltersProps) {
  const { q, metadata = '' } = filter;
  const isInvalid = metadata !== '' && memberOf(metadata) === undefined;
  return (
    <div class="filters work-filters" role="group" aria-label={messages.filters}>
      <Field label={messages.search} hint={messages.searchHint}>
        <TypedFilter name="q" value={q} onChange={(value) => onChange({ q: value })} />
      </Field>
      <Field label={messages.status}>
        <select
          name="status"
          value={filter.status ?? ''}
          onChange={({ currentTarget }) => onChange({ status: currentTarget.value })}
        >
          <option value="">{messages.any}</option>
          {Object.entries(messages.states).map(([value, label]) => (
            <option value={value} key={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <TemplateFilter value={filter.template_id} templates={templates} onChange={onChange} />
      <Field
        label={messages.metadata}
        hint={messages.metadataHint}
        error={isInvalid ? messages.metadataInvalid : undefined}
      >
        <TypedFilter name="metadata" value={metadata} onChange={(value) => onChange({ metadata: value })} />
      </Field>
    </div>
  );
}

interface TemplateFilterProps {
  readonly value: string | undefined;
  readonly templates: TemplateNames;
  readonly onChange: WorkFiltersProps['onChange'];
}

/** A choice among the templates; a field for an id if the page does not have all of them. */
function TemplateFilter({ value = '', templates: { names, isComplete }, onChange }: TemplateFilterProps) {
  const change = (id: string) => onChange({ template_id: id });
  if (!isComplete) {
    return (
      <Field label={messages.templateId}>
        <TypedFilter name="template_id" value={value} onChange={change} />
      </Field>
    );
  }
  return (
    <Field label={messages.template}>
      <select name="template_id" value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{messages.any}</option>
        {value !== '' && !names.has(value) && <option value={value}>{value}</option>}
        {[...names].map(([id, name]) => (
          <option value={id} key={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface TypedFilterProps {
  readonly name: string;
  /** The value in the address. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** An input whose value counts a moment after the last key press. */
function TypedFilter({ value = '', onChange, ...rest }: TypedFilterProps) {
  const typed = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // What somebody still types is newer than the address.
    if (timer.current === undefined) typed.value = value;
  }, [value]);
  const input = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    typed.value = currentTarget.value;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current(typed.value);
    }, DEBOUNCE_MS);
  };
  return <input {...rest} type="search" value={typed.value} autocomplete="off" onInput={input} />;
}
