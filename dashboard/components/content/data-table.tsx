import type { ComponentChildren } from 'preact';
import type { PagedList } from '../../loading/paged-list.ts';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { Loading } from '../notices/loading.tsx';
import { ErrorNotice } from '../notices/notice.tsx';
import styles from './data-table.module.css';

export interface Column<Entry> {
  readonly label: string;
  readonly cell: (entry: Entry) => ComponentChildren;
  /** Whether the cell is the row header, for screen readers. Each table has one such column. */
  readonly isHeading?: boolean;
  /** Whether the label is for screen readers only, for example above buttons. */
  readonly hideLabel?: boolean;
}

interface Rows<Entry> {
  /** What the table contains, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Entry>[];
  readonly rowKey: (entry: Entry) => string;
}

interface DataTableProps<Entry> extends Rows<Entry> {
  readonly list: PagedList<Entry>;
  /** Shown instead of an empty table. */
  readonly empty: ComponentChildren;
}

/** A list as a table, with a button that loads more pages. */
export function DataTable<Entry>({ label, list, columns, rowKey, empty }: DataTableProps<Entry>) {
  const { entries, error, loading, loadingMore, hasMore, loadMore, reload } = list;
  if (entries === undefined) return error ? <ErrorNotice error={error} onRetry={reload} /> : <Loading />;
  return (
    <div class="stack">
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {entries.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <Table label={label} entries={entries} columns={columns} rowKey={rowKey} busy={loading} />
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

/** Shown instead of a list when nothing matches the filters. */
export function NoMatch({ message, onClear }: { readonly message: string; readonly onClear: () => void }) {
  return (
    <div class="stack">
      <p>{message}</p>
      <p>
        <Button onClick={onClear}>{text.common.clearFilters}</Button>
      </p>
    </div>
  );
}
