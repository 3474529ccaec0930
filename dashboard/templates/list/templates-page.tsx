import { useSignal, type Signal } from '@preact/signals';
import type { Template, TemplateEntry, TemplateStatus } from '@trifold/client';
import { classes } from '../../components/classes.ts';
import { actionsColumn, DataTable, type Column } from '../../components/content/data-table.tsx';
import { Page } from '../../components/content/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button, ButtonLink } from '../../components/controls/button.tsx';
import { SelectFilter } from '../../components/controls/filters.tsx';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useAction } from '../../loading/action.ts';
import { usePagedList } from '../../loading/paged-list.ts';
import { templates as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { useFilters } from '../../shell/address.ts';
import { templatePath } from '../paths.ts';
import { StatusBadge } from '../status-badge.tsx';
import { NameFilter } from './name-filter.tsx';
import styles from './list.module.css';

/** Maximum length of a template name, in characters. */
const MAX_NAME_LENGTH = 200;

/** The account's templates, with filters kept in the URL. */
export function TemplatesPage() {
  const { client, allows } = useSession();
  const filters = useFilters('q', 'status');
  const { q, status } = filters.filter;
  const loaded = useSignal(0);
  const list = usePagedList<TemplateEntry>(
    async (cursor, signal) =>
      client.templates.page({ cursor, status: status as TemplateStatus | undefined, q }, { signal }),
    [status, q],
  );
  const duplicate = useAction(async ({ id }: TemplateEntry) => {
    const { name } = await client.templates.create(copyOf(await client.templates.get(id)));
    list.reload();
    return messages.duplicated(name);
  });
  const remove = async ({ id, name }: TemplateEntry) => {
    await client.templates.delete(id);
    list.reload();
    return messages.deleted(name);
  };
  const mayWrite = allows('templates:write');
  const columns: Column<TemplateEntry>[] = [
    {
      label: messages.name,
      isHeading: true,
      cell: (template) => (
        <div class={classes(styles.name, 'row')}>
          <Thumbnail template={template} turn={list.entries?.indexOf(template) ?? 0} loaded={loaded} />
          <div>
            <a href={templatePath(template.id)}>{template.name}</a>
            {template.description && <p class="small muted">{template.description}</p>}
          </div>
        </div>
      ),
    },
    { label: messages.status, cell: (template) => <StatusBadge status={template.status} /> },
    { label: messages.version, cell: (template) => <TemplateVersions template={template} /> },
    { label: messages.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
    actionsColumn(
      (template) =>
        mayWrite && (
          <div class={classes(styles.actions, 'row')}>
            <Button
              icon="duplicate"
              title={messages.duplicate}
              aria-label={messages.duplicateOne(template.name)}
              onClick={() => duplicate.run(template)}
            />
            <ConfirmButton
              label={text.common.delete}
              icon="delete"
              isIconOnly
              aria-label={messages.deleteOne(template.name)}
              title={messages.deleteTitle(template.name)}
              onConfirm={async () => remove(template)}
            >
              <p>{messages.deleteText}</p>
            </ConfirmButton>
          </div>
        ),
    ),
  ];
  const create = { icon: 'plus', href: '/dashboard/templates/new', children: messages.create } as const;
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        mayWrite &&
        (filters.isFiltered || list.entries?.length !== 0) && <ButtonLink kind="primary" {...create} />
      }
    >
      <NameFilter {...filters.field('q')}>
        <SelectFilter
          {...filters.field('status')}
          label={messages.status}
          options={Object.entries(messages.statuses)}
        />
      </NameFilter>
      <ErrorNotice error={duplicate.error.value} />
      <DataTable
        label={messages.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={mayWrite ? `${messages.empty} ${messages.emptyHint}` : messages.empty}
        emptyAction={mayWrite && create}
        filters={filters}
        noMatch={messages.noMatch}
      />
    </Page>
  );
}

interface ThumbnailProps {
  readonly template: TemplateEntry;
  /** Its position in the list. */
  readonly turn: number;
  /** The number of loaded images: the service may have to render each, so they load one after another. */
  readonly loaded: Signal<number>;
}

/** The first page of a template, or a blank page if there is none. */
function Thumbnail({ template: { id, version, published_version }, turn, loaded }: ThumbnailProps) {
  const next = () => {
    if (turn === loaded.value) loaded.value += 1;
  };
  const isDue = turn <= loaded.value;
  return (
    <span class={styles.thumbnail}>
      {isDue && (
        <img
          key={`${id} ${version} ${published_version}`}
          src={`/v1/templates/${id}/thumbnail`}
          alt=""
          onLoad={next}
          onError={({ currentTarget }) => {
            currentTarget.hidden = true;
            next();
          }}
        />
      )}
    </span>
  );
}

function TemplateVersions({ template }: { readonly template: TemplateEntry }) {
  const { version, published_version } = template;
  return (
    <>
      {version}
      {published_version !== undefined && <p class="small muted">{messages.published(published_version)}</p>}
    </>
  );
}

function copyOf({ name, description, html, css, schema, default_options, email, e_invoice }: Template) {
  const ownName = messages.copyOf(name).slice(0, MAX_NAME_LENGTH);
  const content = { html, css, schema, default_options, email, e_invoice };
  return { name: ownName, description, status: 'draft', ...content } as const;
}
