import type { Template, TemplateVersion } from '@trifold/client';
import { useLocation } from 'preact-iso';
import { formatNumber } from '../../components/format.ts';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { Badge } from '../../components/content/badge.tsx';
import { Page } from '../../components/content/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Loading } from '../../components/notices/loading.tsx';
import { errorMessage, ErrorNotice, Notice } from '../../components/notices/notice.tsx';
import { showToast } from '../../components/notices/toasts.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useAction } from '../../loading/action.ts';
import { usePagedList, type PagedList } from '../../loading/paged-list.ts';
import { useResource } from '../../loading/resource.ts';
import { gallery as galleryTexts, history as messages } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { useRouteFromPage, type PathParameters } from '../../shell/address.ts';
import { historyPath, templatePath } from '../paths.ts';
import { VersionDetail } from './version-detail.tsx';
import styles from './history-page.module.css';

/** A template's stored versions. The URL names the selected one: `?version=3`. */
export function HistoryPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const { query } = useLocation();
  const route = useRouteFromPage();
  const template = useResource(async (signal) => client.templates.get(id, { signal }), [id]);
  const versions = usePagedList<TemplateVersion>(
    async (cursor, signal) => client.templates.versions.page(id, { cursor, limit: 50 }, { signal }),
    [id],
  );
  const { value: current } = template.value;
  if (!current) {
    return template.error.value ? (
      <ErrorNotice error={template.error.value} onRetry={template.reload} />
    ) : (
      <Loading />
    );
  }
  const selected = Number(query['version'] ?? current.version);
  const onChange = (changed: Template) => {
    template.set(changed);
    versions.reload();
    route(historyPath(id, changed.version), true);
  };
  const onPublish = (changed: Template) => template.set(changed);
  return (
    <Page
      title={messages.title(current.name)}
      back={{ path: templatePath(id), title: current.name }}
      actions={<ExportButton template={current} />}
    >
      <ForceNotice template={current} onChange={onPublish} />
      <div class={styles.history}>
        <VersionList template={current} list={versions} selected={selected} />
        <VersionDetail
          template={current}
          version={selected}
          entries={versions.entries ?? []}
          onRestore={onChange}
          onPublish={onPublish}
        />
      </div>
    </Page>
  );
}

/** Downloads a template and its sample data as a YAML manifest, ready for `kubectl apply`. */
function ExportButton({ template }: { readonly template: Template }) {
  const { client } = useSession();
  const { run, running } = useAction(async () => {
    try {
      const [samples, { templateYaml, isExportable }] = await Promise.all([
        client.templates.samples(template.id),
        import('../yaml/template-yaml.ts'),
      ]);
      saveFile(
        new Blob([templateYaml(template, samples)], { type: 'application/yaml' }),
        `${template.id}.yaml`,
      );
      if (!isExportable(samples)) return galleryTexts.exportedWithoutSamples;
      return undefined;
    } catch (error) {
      showToast(errorMessage(error), historyPath(template.id));
      throw error;
    }
  });
  return (
    <Button icon="download" busy={running.value} title={galleryTexts.exportHint} onClick={run}>
      {galleryTexts.export}
    </Button>
  );
}

interface ForceNoticeProps {
  readonly template: Template;
  readonly onChange: (template: Template) => void;
}

/** Says which version documents use, and lets the user unpublish it. */
function ForceNotice({ template, onChange }: ForceNoticeProps) {
  const { client, allows } = useSession();
  const { id, version, published_version: published } = template;
  const mayWrite = allows('templates:write');
  if (published === undefined) {
    return (
      <p>
        {messages.currentInForce(formatNumber(version))} {mayWrite && messages.publishHint}
      </p>
    );
  }
  const unpublish = async () => {
    onChange(await client.templates.publish(id, null));
    return messages.unpublished;
  };
  return (
    <Notice>
      <p>{messages.publishedInForce(formatNumber(published), formatNumber(version))}</p>
      {mayWrite && (
        <ConfirmButton
          label={messages.unpublish}
          title={messages.unpublishTitle}
          isHarmless
          onConfirm={unpublish}
        >
          <p>{messages.unpublishText(formatNumber(version))}</p>
        </ConfirmButton>
      )}
    </Notice>
  );
}

interface VersionListProps {
  readonly template: Template;
  readonly list: PagedList<TemplateVersion>;
  /** The version shown on the page. */
  readonly selected: number;
}

/** The versions, newest first, as links. */
function VersionList({ template, list, selected }: VersionListProps) {
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
