import { useComputed } from '@preact/signals';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { text } from '../../messages/text.ts';
import { client } from '../../session/client.ts';
import type { PathParameters } from '../../shell/sections.ts';
import { useResource } from '../../shell/resource.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';

export function HistoryPage({ id = '' }: PathParameters) {
  const template = useResource(async (signal) => client.templates.get(id, { signal }), [id]);
  const request = useComputed(() => {
    if (!template.value.value) return undefined;
    const { html, css, schema, default_options, email } = template.value.value;
    return { html, css, schema, default_options, email, data: {} };
  });
  if (template.error.value) return <ErrorNotice error={template.error.value} onRetry={template.reload} />;
  if (!template.value.value) return <Loading />;
  return (
    <Page title={text.preview.title}>
      <div style={{ height: '70vh' }}>
        <PreviewPane request={request} onResult={() => undefined} />
      </div>
    </Page>
  );
}
