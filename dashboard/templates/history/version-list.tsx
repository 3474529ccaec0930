import type { Template, TemplateVersion } from '@trifold/client';
import { Badge } from '../../components/content/badge.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button } from '../../components/controls/button.tsx';
import { formatNumber } from '../../components/format.ts';
import { Loading } from '../../components/notices/loading.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import type { PagedList } from '../../loading/paged-list.ts';
import { history as messages } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { historyPath } from '../paths.ts';
import styles from './history-page.module.css';

interface VersionListProps {
  readonly template: Template;
  readonly list: PagedList<TemplateVersion>;
  /** The version shown on the page. */
  readonly selected: number;
}

/** The versions, newest first, as links. */
export function VersionList({ template, list, selected }: VersionListProps) {
  const { entries, error, loading, hasMore, loadMore, reload } = list;
  if (!entries) return error ? <ErrorNotice error={error} onRetry={reload} /> : <Loading />;
  return (
    <nav class={styles.versions} aria-label={messages.versions}>
      <ol>
        {entries.map((entry) => (
          <li key={entry.version}>
            <a
              href={historyPath(template.id, entry.version)}
              aria-current={entry.version === selected ? 'true' : undefined}
            >
              <span class="row">
                <strong>{messages.version(formatNumber(entry.version))}</strong>
                {entry.version === template.version && <Badge kind="info">{messages.saved}</Badge>}
                {entry.version === template.published_version && (
                  <Badge kind="success">{messages.published}</Badge>
                )}
              </span>
              <span class="small muted">
                {messages.changes[entry.change] + messages.by[entry.by]}, <Time at={entry.created_at} />
              </span>
            </a>
          </li>
        ))}
      </ol>
      <ErrorNotice error={error} onRetry={reload} />
      {hasMore && (
        <Button kind="quiet" busy={loading} onClick={loadMore}>
          {text.common.loadMore}
        </Button>
      )}
    </nav>
  );
}
