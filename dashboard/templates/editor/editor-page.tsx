import { Loading } from '../../components/loading.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { client } from '../../session/client.ts';
import type { PathParameters } from '../../shell/sections.ts';
import { useResource } from '../../shell/resource.ts';
import { TemplateEditor } from './template-editor.tsx';

/** One template: its parts beside a live preview. */
export function EditorPage({ id = '' }: PathParameters) {
  const loaded = useResource(
    async (signal) =>
      Promise.all([client.templates.get(id, { signal }), client.templates.samples(id, { signal })]),
    [id],
  );
  if (loaded.error.value) return <ErrorNotice error={loaded.error.value} onRetry={loaded.reload} />;
  const [template, samples] = loaded.value.value ?? [];
  if (template?.id !== id || !samples) return <Loading />;
  return <TemplateEditor key={id} template={template} samples={samples} />;
}
