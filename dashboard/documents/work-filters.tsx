import type { DocumentQuery } from '@trifold/client';
import { Field } from '../components/controls/field.tsx';
import { Filters, SearchInput, SelectFilter } from '../components/controls/filters.tsx';
import { documents as messages } from '../messages/documents.ts';
import type { TemplateNames } from './template-names.ts';

interface WorkFiltersProps {
  readonly filter: WorkFilter;
  readonly templates: TemplateNames;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** Filters for a list of documents or batches. A change takes effect immediately. */
export function WorkFilters({ filter, templates, onChange }: WorkFiltersProps) {
  const { q, status, template_id, metadata = '' } = filter;
  const isInvalid = metadata !== '' && memberOf(metadata) === undefined;
  return (
    <Filters label={messages.filters} isWide>
      <Field label={messages.search} hint={messages.searchHint}>
        <SearchInput name="q" value={q} onChange={(value) => onChange({ q: value })} />
      </Field>
      <SelectFilter
        label={messages.status}
        name="status"
        value={status}
        options={Object.entries(messages.states)}
        onChange={(value) => onChange({ status: value })}
      />
      <TemplateFilter
        value={template_id}
        templates={templates}
        onChange={(id) => onChange({ template_id: id })}
      />
      <Field
        label={messages.metadata}
        hint={messages.metadataHint}
        error={isInvalid ? messages.metadataInvalid : undefined}
      >
        <SearchInput name="metadata" value={metadata} onChange={(value) => onChange({ metadata: value })} />
      </Field>
    </Filters>
  );
}

interface TemplateFilterProps {
  readonly value: string | undefined;
  readonly templates: TemplateNames;
  readonly onChange: (id: string) => void;
}

/** A template selector, or an id field if the page does not have all templates. */
function TemplateFilter({ value = '', templates: { names, isComplete }, onChange }: TemplateFilterProps) {
  if (!isComplete) {
    return (
      <Field label={messages.templateId}>
        <SearchInput name="template_id" value={value} onChange={onChange} />
      </Field>
    );
  }
  const options = value === '' || names.has(value) ? names : [[value, value] as const, ...names];
  return (
    <SelectFilter
      label={messages.template}
      name="template_id"
      value={value}
      options={options}
      onChange={onChange}
    />
  );
}

/** Filters for a list of documents or batches, as stored in the URL. `metadata`: `name=value`. */
type WorkFilter = Readonly<Record<'status' | 'template_id' | 'q' | 'metadata', string | undefined>>;

/** Returns the API query. Metadata that is not `name=value` is omitted. */
export function queryOf({ status, template_id, q, metadata }: WorkFilter): DocumentQuery {
  return {
    status: status as DocumentQuery['status'],
    template_id,
    q,
    metadata: memberOf(metadata),
  };
}

/** Parses `name=value`. Undefined for any other string. */
function memberOf(metadata = ''): Readonly<Record<string, string>> | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(metadata) ?? [];
  return name === undefined || value === undefined ? undefined : { [name.trim()]: value.trim() };
}
