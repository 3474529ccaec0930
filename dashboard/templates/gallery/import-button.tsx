import { useRef } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { formatBytes } from '../../components/format.ts';
import { gallery as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { readTemplate, TemplateFileError } from '../yaml/template-yaml.ts';
import type { Starter } from './starters.ts';

interface ImportButtonProps {
  readonly onImport: (imported: Starter) => void;
  /** Called with the error when a file cannot be read. */
  readonly onProblem: (error: unknown) => void;
}

/** Reads a template from a YAML file of the kind. */
export function ImportButton({ onImport, onProblem }: ImportButtonProps) {
  const { signedIn } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    const most = signedIn.value?.limits.max_body_bytes ?? 0;
    if (file.size > most) throw new TemplateFileError(messages.tooLarge(formatBytes(most)));
    onImport({ id: 'imported', ...readTemplate(await file.text()) });
  };
  return (
    <>
      <Button onClick={() => input.current?.click()}>{messages.import}</Button>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) read(file).catch(onProblem);
          // The same file can be chosen again after a change.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
