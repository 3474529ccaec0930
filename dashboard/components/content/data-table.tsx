import type { ComponentChildren } from 'preact';
import type { PagedList } from '../../loading/paged-list.ts';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import { Button, ButtonLink, type ButtonLinkProps } from '../controls/button.tsx';
import { Loading } from '../notices/loading.tsx';
import { ErrorNotice } from '../notices/notice.tsx';
import styles from './data-table.module.css';

export interface Column<Entry> {
  readonly label: string;
  readonly cell: (entry: Entry) => ComponentChildren;
  /** Whether the cell is the row header, for screen readers. Each table has one such column. */
  readonly isHeading?: boolean;
  /** Whether the label is for screen readers only. */
  readonly hideLabel?: boolean;
}

interface Rows<Entry> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Entry>[];
  readonly rowKey: (entry: Entry) => string;
}

interface DataTableProps<Entry> extends Rows<Entry> {
  readonly list: PagedList<Entry>;
  /** Shown instead of an empty table. */
  readonly empty: ComponentChildren;
  /** Next step that the user can take if the table is empty. */
  readonly emptyAction?: ButtonLinkProps | false;
  /** The list's filters, if it has any. */
  readonly filters?: { readonly isFiltered: boolean; readonly clear: () => void };
  /** Shown instead of a table that the filters make empty. */
  readonly noMatch?: string;
}

/** A list as a table, with a button that loads more pages. */
export function DataTable<Entry>({
  list,
  empty,
  emptyAction,
  filters,
  noMatch,
  ...rows
}: DataTableProps<Entry>) {
  const { entries, error, loading, loadingMore, hasMore, loadMore, reload } = list;
  if (entries === undefined) return error ? <ErrorNotice error={error} onRetry={reload} /> : <Loading />;
  const clear = <Button onClick={filters?.clear}>{text.common.clearFilters}</Button>;
  const next = emptyAction && <ButtonLink kind="primary" {...emptyAction} />;
  const [message, action] = filters?.isFiltered ? [noMatch, clear] : [empty, next];
  return (
    <div class="stack">
      <ErrorNotice error={error} onRetry={reload} />
      {entries.length === 0 ? (
        <Empty>
          <p>{message}</p>
          {action && <p>{action}</p>}
        </Empty>
      ) : (
        <Table {...rows} entries={entries} busy={loading} />
      )}
      {hasMore && (
        <p class="row">
          <Button busy={loadingMore} onClick={loadMore}>
            {text.common.loadMore}
          </Button>
        </p>
      )}
    </div>
  );
}

/** A column of buttons. Its label is for screen readers only. */
export function actionsColumn<Entry>(cell: Column<Entry>['cell']): Column<Entry> {
  return { label: text.common.actions, hideLabel: true, cell };
}

interface TableProps<Entry> extends Rows<Entry> {
  readonly entries: readonly Entry[];
  /** Whether newer entries are loading. @default false */
  readonly busy?: boolean;
}

/** A table; on a narrow screen each row is a card. */
export function Table<Entry>({ label, entries, columns, rowKey, busy = false }: TableProps<Entry>) {
  return (
    <table class={styles.table} aria-label={label} aria-busy={busy}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" key={column.label}>
              <span class={column.hideLabel ? 'visually-hidden' : undefined}>{column.label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={rowKey(entry)}>
            {columns.map((column) => (
              <Cell key={column.label} column={column} entry={entry} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Entry>({ column, entry }: { readonly column: Column<Entry>; readonly entry: Entry }) {
  const { label, cell, isHeading = false, hideLabel = false } = column;
  const content = (
    <>
      {!hideLabel && (
        <span class={styles.label} aria-hidden="true">
          {label}
        </span>
      )}
      <span>{cell(entry)}</span>
    </>
  );
  return isHeading ? <th scope="row">{content}</th> : <td>{content}</td>;
}

/** Shown instead of missing content. */
export function Empty({
  class: more,
  children,
}: {
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return <div class={classes(styles.empty, more)}>{children}</div>;
}
