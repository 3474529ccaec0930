import './history-page.css';
import { useLocation } from 'preact-iso';
import type { Template, TemplateVersion } from '@trifold/client';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { usePagedList } from '../../loading/paged-list.ts';
import { useResource } from '../../loading/resource.ts';
import type { PathParameters } from '../../shell/address.ts';
import { historyPath, templatePath } from '../paths.ts';
import { ExportButton } from '../yaml/export-button.tsx';
import { ForceNotice } from './force-notice.tsx';
import { VersionDetail } from './version-detail.tsx';
import { VersionList } from './version-list.tsx';

/** The stored versions of a template. The address names the selected one: `?version=3`. */
export function HistoryPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const { query, route } = useLocation();
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
      lead={<a href={templatePath(id)}>{messages.back}</a>}
      actions={<ExportButton template={current} />}
    >
      <ForceNotice template={current} onChange={onPublish} />
      <div class="history">
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
