import type { Template } from '@trifold/client';
import { Button } from '../../components/button.tsx';
import { errorMessage } from '../../components/error-notice.tsx';
import { showToast } from '../../components/toasts.tsx';
import { gallery as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { useAction } from '../../loading/action.ts';
import { saveFile } from '../../components/save-file.ts';

/** Downloads a template with its sample data as YAML of the kind, ready for `kubectl apply`. */
export function ExportButton({ template }: { readonly template: Template }) {
  const { client } = useSession();
  const { run, running } = useAction(async () => {
    try {
      const [samples, { templateYaml }] = await Promise.all([
        client.templates.samples(template.id),
        import('./template-yaml.ts'),
      ]);
      saveFile(
        new Blob([templateYaml(template, samples)], { type: 'application/yaml' }),
        `${template.id}.yaml`,
      );
    } catch (error) {
      showToast(errorMessage(error));
      throw error;
    }
  });
  return (
    <Button busy={running.value} title={messages.exportHint} onClick={run}>
      {messages.export}
    </Button>
  );
}
