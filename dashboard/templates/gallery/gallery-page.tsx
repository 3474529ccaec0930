import { useComputed, useSignal } from '@preact/signals';
import type { Preview, PreviewRequest } from '@trifold/client';
import { Page } from '../../components/content/page.tsx';
import { FileButton } from '../../components/controls/file-button.tsx';
import { formatBytes } from '../../components/format.ts';
import { errorMessage, ErrorNotice } from '../../components/notices/notice.tsx';
import { showToast } from '../../components/notices/toasts.tsx';
import { templates } from '../../messages/template-editor.ts';
import { gallery as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { useRouteFromPage } from '../../shell/address.ts';
import { templatePath } from '../paths.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';
import { readTemplate, TemplateFileError } from '../yaml/template-yaml.ts';
import { PastedForm, withPasted, type PastedTemplate } from './pasted-form.tsx';
import { StarterForm } from './starter-form.tsx';
import { PASTED, STARTERS, type Starter } from './starters.ts';
import styles from './gallery-page.module.css';

/** Creates a template from a starter, pasted HTML, or a file. */
export function GalleryPage() {
  const { client, signedIn } = useSession();
  const route = useRouteFromPage();
  const imported = useSignal<Starter | undefined>(undefined);
  const chosenId = useSignal('invoice');
  const problem = useSignal<unknown>(undefined);
  const pasted = useSignal<PastedTemplate>({
    html: '',
    css: '',
    options: { page_size: 'a4' },
    hasData: true,
  });
  const result = useSignal<Preview | undefined>(undefined);
  const starters = useComputed(() => (imported.value ? [imported.value, ...STARTERS] : STARTERS));
  const isPasted = chosenId.value === PASTED.id;
  const chosen = useComputed(() =>
    chosenId.value === PASTED.id
      ? withPasted(PASTED, pasted.value)
      : starters.value.find(({ id }) => id === chosenId.value),
  );
  const request = useComputed((): PreviewRequest | undefined => {
    if (!chosen.value?.template.html) return undefined;
    const { template, samples } = chosen.value;
    const { html, css = null, schema = null, default_options = null } = template;
    const { email = null, e_invoice = null } = template;
    const data = samples[0]?.data ?? {};
    return { html, css, schema, default_options, email, e_invoice, data };
  });
  const create = async (name: string) => {
    if (!chosen.value) return;
    const { template, samples } = chosen.value;
    const { id } = await client.templates.create({ ...template, name });
    // The template exists, so this error must not make the user create it again.
    await client.templates
      .saveSamples(id, samples)
      .catch((error: unknown) => showToast(messages.withoutSamples(errorMessage(error)), templatePath(id)));
    route(templatePath(id));
  };
  const readManifest = async (file: File) => {
    const most = signedIn.value?.limits.max_body_bytes ?? 0;
    if (file.size > most) throw new TemplateFileError(messages.tooLarge(formatBytes(most)));
    const starter = { id: 'imported', ...readTemplate(await file.text()) };
    imported.value = starter;
    chosenId.value = starter.id;
    problem.value = undefined;
  };
  const importFile = ([file]: readonly File[]) => {
    if (file) readManifest(file).catch((error: unknown) => void (problem.value = error));
  };
  return (
    <Page
      title={messages.title}
      back={{ path: '/dashboard/templates', title: templates.title }}
      lead={messages.lead}
      actions={
        <FileButton accept=".yaml,.yml" onFiles={importFile}>
          {messages.import}
        </FileButton>
      }
    >
      <ErrorNotice error={problem.value} />
      <div class={styles.gallery}>
        <StarterForm
          starters={starters.value}
          chosen={chosen.value}
          onChoose={(id) => void (chosenId.value = id)}
          onCreate={create}
        >
          {isPasted && <PastedForm pasted={pasted} result={result} />}
        </StarterForm>
        <div class={styles.preview}>
          <PreviewPane
            key={chosenId.value}
            request={request}
            onResult={(latest) => void (result.value = latest)}
          />
        </div>
      </div>
    </Page>
  );
}
