import './template-editor.css';
import { useSignal, type Signal } from '@preact/signals';
import type { Template, TemplateSample } from '@trifold/client';
import { useEffect, useMemo } from 'preact/hooks';
import { showToast } from '../../components/toasts.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { useSession } from '../../session/session.ts';
import { useAction } from '../../loading/action.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';
import { LinkedSource, type SourceLink } from '../source/source-link.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { Part } from './draft.ts';
import { EditedTemplate, InvalidPartError } from './edited-template.ts';
import { EditorHeader } from './editor-header.tsx';
import { EditorParts } from './editor-parts.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { SaveError } from './save-error.tsx';
import { SplitPane, type Side } from './split-pane.tsx';
import { useKeptDraft } from './kept-draft.ts';
import { VersionInForce } from './version-in-force.tsx';

interface TemplateEditorProps {
  readonly template: Template;
  readonly samples: readonly TemplateSample[];
}

export function TemplateEditor({ template, samples }: TemplateEditorProps) {
  const session = useSession();
  const edited = useMemo(() => new EditedTemplate(session, template, samples), []);
  const part = useSignal<Part>('html');
  const side = useSignal<Side>('edit');
  useEffect(() => showLinked(edited.link, part, side), []);
  const save = useAction(async (over?: Template) => {
    if (!edited.isChanged.value && !over) {
      showToast(messages.nothingToSave);
      return;
    }
    try {
      const { version } = await edited.save(over);
      showToast(messages.savedAs(version));
    } catch (error) {
      if (error instanceof InvalidPartError) part.value = error.part;
      throw error;
    }
  });
  const mayWrite = session.allows('templates:write');
  const isKept = useKeptDraft(edited);
  useSaveKey(save.run);
  const parts = <EditorParts edited={edited} part={part} readOnly={!mayWrite} />;
  return (
    <div class="editor-page">
      <EditorHeader edited={edited} mayWrite={mayWrite} save={save} />
      <RestoredNotice edited={edited} />
      <SaveError error={save.error.value} isKept={isKept.value} />
      {mayWrite ? (
        <SplitPane
          side={side}
          start={parts}
          end={
            <LinkedSource.Provider value={edited.link}>
              <PreviewPane
                request={edited.request}
                onResult={(result) => edited.setResult(result)}
                comparison={(alike) => <VersionInForce edited={edited} {...alike} />}
              />
            </LinkedSource.Provider>
          }
        />
      ) : (
        parts
      )}
      <ConflictDialog edited={edited} save={save} />
    </div>
  );
}

/** Shows the HTML when the person goes to it, and the preview when they go there, at once. */
function showLinked({ wanted, reveals }: SourceLink, part: Signal<Part>, side: Signal<Side>): () => void {
  const stops = [
    wanted.subscribe((range) => {
      if (!range) return;
      part.value = 'html';
      side.value = 'edit';
    }),
    reveals.subscribe((count) => {
      if (count > 0) side.value = 'preview';
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Saves with Ctrl-S, or Cmd-S on a Mac, wherever the focus is. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      save();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [save]);
}
