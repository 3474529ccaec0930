import { Loading } from '../../components/loading.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useSession } from '../../session/session.ts';
import type { PathParameters } from '../../shell/address.ts';
import { useResource } from '../../loading/resource.ts';
import { TemplateEditor } from './template-editor.tsx';

/** One template: its parts beside a live preview. */
export function EditorPage({ id = '' }: PathParameters) {
  const { client } = useSession();
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
