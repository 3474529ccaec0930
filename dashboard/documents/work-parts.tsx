import { signal } from '@preact/signals';
import type { CompletedGeneration, Generation } from '@trifold/client';
import { Fragment, type ComponentChildren } from 'preact';
import { classes } from '../components/classes.ts';
import { Badge } from '../components/content/badge.tsx';
import { Time } from '../components/content/time.tsx';
import { formatNumber } from '../components/format.ts';
import { documents as messages } from '../messages/documents.ts';
import { problems } from '../messages/problems.ts';
import { useSession } from '../session/session.ts';
import { editorPath } from '../templates/paths.ts';
import { remedyOf } from './problem.tsx';
import type { TemplateNames } from './template-names.ts';
import styles from './documents.module.css';

const KINDS = { pending: 'neutral', processing: 'info', completed: 'success', failed: 'danger' } as const;

export function WorkStatus({ status }: Pick<Generation, 'status'>) {
  return <Badge kind={KINDS[status]}>{messages.states[status]}</Badge>;
}

/** Length of the longest ID that a list shows in full. */
const MAX_ID_LENGTH = 20;

/** A link to a document or batch below the path `list`. A long ID is shortened in the middle. */
export function WorkLink({ id, list }: { readonly id: string; readonly list: string }) {
  const shown = id.length > MAX_ID_LENGTH ? messages.shortId(id.slice(0, 4), id.slice(-8)) : id;
  return (
    <a class={styles.link} href={`${list}/${id}`} title={id}>
      {shown}
    </a>
  );
}

/** Whether a document or batch is still in progress. */
export function isUnfinished({ status }: Pick<Generation, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

/** A countdown to the deletion of a file. */
export function Expiry({ at, isExact }: { readonly at: string; readonly isExact?: boolean }) {
  return Date.parse(at) < now.value ? (
    <>{messages.expired}</>
  ) : (
    <Time at={at} isFuture isExact={isExact ?? false} />
  );
}

interface TemplateNameProps {
  /** null: the request contained the template. */
  readonly id: string | null;
  readonly templates: TemplateNames;
}

/** A template's name, or its ID if the page does not have the name. */
export function TemplateName({ id, templates: { names } }: TemplateNameProps) {
  const { allows } = useSession();
  if (id === null) return <span class={classes(styles.unbroken, 'muted')}>{messages.templateInRequest}</span>;
  const name = names.get(id);
  const shown = name === undefined ? <code>{id}</code> : <OneLine text={name} />;
  if (!allows('templates:read')) return shown;
  return <a href={`/dashboard/templates/${id}`}>{shown}</a>;
}

export function WarningCount({ count }: { readonly count: number }) {
  return <Badge kind="warning">{messages.warningCount(count)}</Badge>;
}

/** Shown in a cell without a value. */
export function Nothing() {
  return <span class="muted">–</span>;
}

/** Text that a list shows on one line, truncated at the column's edge; hovering shows all of it. */
export function OneLine({ text }: { readonly text: string }) {
  return (
    <span class={styles.oneLine} title={text}>
      {text}
    </span>
  );
}

interface MetadataProps {
  readonly metadata: Readonly<Record<string, string>>;
}

/** A document's or batch's metadata in a list. */
export function MetadataInLine({ metadata }: MetadataProps) {
  const members = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  return members.length === 0 ? <Nothing /> : <OneLine text={members.join(', ')} />;
}

const TICK_MS = 15_000;

/** The current time in milliseconds, for countdowns. */
export const now = signal(Date.now());

setInterval(() => void (now.value = Date.now()), TICK_MS);

/** The metadata of a document or batch: text that the service does not interpret. */
export function Metadata({ metadata }: MetadataProps) {
  return (
    <dl class={styles.metadata}>
      {Object.entries(metadata).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

type Warning = CompletedGeneration['warnings'][number];

interface WarningsProps {
  readonly warnings: readonly Warning[];
  /** Saved template that positions link to. @default no links */
  readonly template?: string | null;
}

/** Possible differences between the result and the author's intent, with remedies. */
export function Warnings({ warnings, template = null }: WarningsProps) {
  return (
    <ul class={styles.warnings}>
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.part} ${warning.name}`}>
          <WarningText warning={warning} />
          <WarningPlace warning={warning} template={template} />
        </li>
      ))}
    </ul>
  );
}

interface WarningPlaceProps {
  readonly warning: Warning;
  readonly template: string | null;
}

/** The part, line and column of a warning, if known. */
function WarningPlace({ warning, template }: WarningPlaceProps) {
  const { allows } = useSession();
  const { part, line, column = 1 } = warning;
  if (part === undefined) return null;
  const name = problems.parts[part];
  const shown = line === undefined ? name : messages.place(name, formatNumber(line), formatNumber(column));
  const isLink = template !== null && allows('templates:read');
  return <p class="small">{isLink ? <a href={editorPath(template, warning)}>{shown}</a> : shown}</p>;
}

/** `before`: the number of occurrences. */
export function WarningText({ warning, before }: { warning: Warning; before?: ComponentChildren }) {
  const { code, message, name } = warning;
  return (
    <>
      <p>
        {before} {message} {!message.includes(name) && <code>{name}</code>}
      </p>
      <p class="small muted">
        <code>{code}</code>: {remedyOf(code)}
      </p>
    </>
  );
}
