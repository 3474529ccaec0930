import type { GenerationOptions } from '@trifold/client';
import { useLocation } from 'preact-iso';
import { showToast } from '../../components/notices/toasts.tsx';
import { insertions as insertionTexts } from '../../messages/insertions.ts';
import { palette as messages } from '../../messages/palette.ts';
import { editor as editorTexts } from '../../messages/template-editor.ts';
import { history as historyTexts } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { leavePage } from '../../shell/unsaved-changes.tsx';
import { insertSnippet } from '../code/insert-target.ts';
import { INSERTIONS, type Insertion } from '../insert/insertions.ts';
import { isObject, parseObject } from '../json-text.ts';
import { withOption } from '../options/edit-options.ts';
import { Palette, type PaletteEntry } from '../palette/palette.tsx';
import { keysText } from '../palette/shortcuts-dialog.tsx';
import { historyPath } from '../paths.ts';
import { PARTS } from './draft/draft.ts';
import type { EditedTemplate } from './draft/edited-template.ts';
import type { EditorProps, EditorTasks, ShownDialog } from './editor-tasks.ts';
import { addFieldsOfData, completeData } from './panels/data-buttons.tsx';

/** The editor's commands, or the items that it can insert. */
export function EditorPalette(props: EditorProps & { readonly onClose: () => void }) {
  const { tasks, onClose } = props;
  const { allows } = useSession();
  const { route } = useLocation();
  if (tasks.shown.value === 'commands') {
    const mayGenerate = allows('documents:generate');
    const commands = [
      ...(allows('templates:write') ? [...taskCommands(props, mayGenerate), ...textCommands(props)] : []),
      ...viewCommands(props, route),
    ];
    return <Palette title={messages.title} search={messages.search} entries={commands} onClose={onClose} />;
  }
  if (tasks.shown.value !== 'insertions') return null;
  const entries = INSERTIONS.map((insertion) => ({ ...insertion, run: () => insert(insertion, props) }));
  const { title, search } = insertionTexts;
  return <Palette title={title} search={search} entries={entries} onClose={onClose} />;
}

function command(label: string, run: () => void, keys?: string): PaletteEntry {
  return { id: label, label, run, ...(keys !== undefined && { detail: keysText(keys) }) };
}

function taskCommands({ tasks }: EditorProps, mayGenerate: boolean): PaletteEntry[] {
  return [
    command(text.common.save, tasks.startSave, messages.keys.save[0]),
    ...(mayGenerate ? [command(editorTexts.generate, tasks.generate)] : []),
    command(historyTexts.publish, tasks.askPublish),
  ];
}

function textCommands({ edited, tasks }: EditorProps): PaletteEntry[] {
  const reveal = () => void (edited.link.reveals.value += 1);
  return [
    command(insertionTexts.open, show(tasks, 'insertions')),
    command(editorTexts.fromTemplate, () => completeData(edited)),
    command(editorTexts.fromData, () => addFieldsOfData(edited)),
    ...(edited.link.hasPages.value ? [command(messages.showInPages, reveal, messages.keys.reveal[0])] : []),
  ];
}

function viewCommands({ edited, tasks }: EditorProps, route: (url: string) => void) {
  return [
    ...PARTS.map((id) => command(messages.goTo(editorTexts.parts[id]), () => tasks.showPart(id))),
    command(editorTexts.apiCall, show(tasks, 'call')),
    command(editorTexts.history, () => leavePage(() => route(historyPath(edited.id)))),
    command(messages.shortcuts, show(tasks, 'shortcuts'), messages.keys.help[0]),
  ];
}

function show({ shown }: EditorTasks, dialog: ShownDialog): () => void {
  return () => void (shown.value = dialog);
}

function insert({ snippet, isFooter = false }: Insertion, { edited, tasks }: EditorProps): void {
  if (isFooter) addToFooter(edited, snippet);
  else if (!insertSnippet(snippet)) {
    tasks.showPart('html');
    requestAnimationFrame(() => insertSnippet(snippet));
  }
}

function addToFooter(edited: EditedTemplate, content: string): void {
  const parsed = parseObject(edited.draft.peek().options);
  if ('problem' in parsed) {
    showToast(insertionTexts.invalidOptions);
    return;
  }
  const options: GenerationOptions = parsed.value ?? {};
  const footer: Readonly<Record<string, unknown>> = isObject(options.footer) ? options.footer : {};
  const before = typeof footer['content'] === 'string' ? footer['content'] : '';
  const changed = { ...footer, enabled: true, content: before + content };
  edited.edit({ options: withOption(options, 'footer', changed) });
  edited.link.revealTarget.value = {
    path: '/default_options/footer/content',
    rangeIn: (doc) => ({ from: 0, to: doc.length }),
  };
}
