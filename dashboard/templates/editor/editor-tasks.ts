import { useSignal, type Signal } from '@preact/signals';
import type { Generation, Template } from '@trifold/client';
import { showToast } from '../../components/notices/toasts.tsx';
import { useAction, type Action } from '../../loading/action.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { useSession } from '../../session/session.ts';
import { repeatedRequest } from '../../documents/repeated-request.ts';
import { templatePath } from '../paths.ts';
import type { PreviewFormat } from '../preview/use-preview.ts';
import type { Part } from './draft/draft.ts';
import { InvalidPartError, type EditedTemplate } from './draft/edited-template.ts';

/** The content of the editor's dialog. */
export type ShownDialog = 'publish' | 'call' | 'commands' | 'insertions' | 'shortcuts';

/** The side of the editor that a narrow screen shows. */
export type Side = 'edit' | 'preview';

/** The edited template, and what the editor shows and does. */
export interface EditorProps {
  readonly edited: EditedTemplate;
  readonly tasks: EditorTasks;
}

/** Content of the editor, and actions on the whole template. */
export interface EditorTasks {
  readonly part: Signal<Part>;
  readonly side: Signal<Side>;
  readonly showPart: (part: Part) => void;
  /** The format that the user selected for the preview. */
  readonly format: Signal<PreviewFormat>;
  /** Shows the XML of the e-invoice in the preview. */
  readonly showXml: () => void;
  /** Saves, then runs an action on the saved template. `over`: another user's template to overwrite. */
  readonly save: Action<[over?: Template, then?: () => Promise<void>]>;
  /** The purpose of the last save. */
  readonly savedFor: Signal<'save' | 'generate'>;
  /** The last generated document, until its dialog is closed. */
  readonly generated: Signal<Generation | undefined>;
  readonly shown: Signal<ShownDialog | undefined>;
  readonly startSave: () => void;
  /** Saves, and generates a PDF from the sample data. */
  readonly generate: () => void;
  /** Asks for confirmation to publish, if there is anything to publish. */
  readonly askPublish: () => void;
}

export function useEditorTasks(edited: EditedTemplate): EditorTasks {
  const { client } = useSession();
  const part = useSignal<Part>('html');
  const side = useSignal<Side>('edit');
  const format = useSignal<PreviewFormat>('pdf');
  const savedFor = useSignal<'save' | 'generate'>('save');
  const generated = useSignal<Generation | undefined>(undefined);
  const shown = useSignal<ShownDialog | undefined>(undefined);
  const save = useAction(async (over?: Template, then?: () => Promise<void>) => {
    if (edited.isChanged.value || over) await saveChanges(edited, part, over);
    else if (!then) showToast(messages.nothingToSave);
    await then?.();
  });
  const start = (what: typeof savedFor.value, then?: () => Promise<void>) => {
    if (!save.running.value) savedFor.value = what;
    save.run(undefined, then);
  };
  const generate = async () => {
    const { version } = edited.saved.peek();
    const { document } = edited.opened.peek() ?? {};
    generated.value = await client.documents.generate({
      ...(document && repeatedRequest(document)),
      template_id: edited.id,
      version,
      data: edited.validData(),
    });
  };
  const askPublish = () => {
    const { version, published_version: published } = edited.saved.value;
    if (published === version && !edited.isChanged.value) showToast(messages.published(version));
    else shown.value = 'publish';
  };
  const showPart = (shownPart: Part) => {
    part.value = shownPart;
    side.value = 'edit';
  };
  const showXml = () => {
    format.value = 'xml';
    side.value = 'preview';
  };
  return {
    part,
    side,
    showPart,
    format,
    showXml,
    save,
    savedFor,
    generated,
    shown,
    startSave: () => start('save'),
    generate: () => start('generate', generate),
    askPublish,
  };
}

/** Saves; if a part prevents it, shows that part. */
async function saveChanges(edited: EditedTemplate, part: Signal<Part>, over?: Template): Promise<void> {
  const path = templatePath(edited.id);
  const before = edited.saved.peek().version;
  const hadData = edited.changed.peek().has('data');
  const showSaved = () => {
    const { version } = edited.saved.peek();
    if (version !== before) showToast(messages.savedAs(version), path);
    else if (hadData && !edited.changed.peek().has('data')) showToast(messages.dataSaved, path);
  };
  try {
    await edited.save(over);
    showSaved();
  } catch (error) {
    if (error instanceof InvalidPartError) part.value = error.part;
    else showSaved();
    throw error;
  }
}
