import { useComputed } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { useRef } from 'preact/hooks';
import { formatNumber } from '../../components/format.ts';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useResource } from '../../loading/resource.ts';
import { preview as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import type { ShownAlike } from '../preview/preview-pane.tsx';
import { PreviewResult } from '../preview/preview-result.tsx';
import { usePreview } from '../preview/use-preview.ts';
import { LinkedSource } from '../source/source-link.ts';
import { draftOf, previewRequestOf } from './draft/draft.ts';
import { liveVersion } from '../live-version.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

interface VersionInForceProps extends ShownAlike {
  readonly edited: EditedTemplate;
}

/** The version that documents use (the published one, or else the saved one), with the editor's sample data. */
export function LiveVersion({ edited, format, zoom }: VersionInForceProps) {
  const { client } = useSession();
  const { id, saved, data } = edited;
  const { version } = saved.value;
  const { version: live, name } = liveVersion(saved.value);
  const { value, error, reload } = useResource(
    async (signal) => (live === version ? saved.peek() : client.templates.versions.get(id, live, { signal })),
    [id, live, version],
  );
  const latest = useRef<PreviewRequest>(undefined);
  const request = useComputed(() => {
    if (!value.value) return undefined;
    // The last one is kept while the data is not valid JSON.
    latest.current = previewRequestOf(draftOf(value.value), data.value) ?? latest.current;
    return latest.current;
  });
  const previews = usePreview({ request, format });
  if (error.value !== undefined) return <ErrorNotice error={error.value} onRetry={reload} />;
  return (
    <LinkedSource.Provider value={undefined}>
      <PreviewResult
        previews={previews}
        caption={messages.liveVersion(formatNumber(live), name)}
        zoom={zoom}
      />
    </LinkedSource.Provider>
  );
}
