import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { TrifoldError, type Template, type TemplateSample, type TrifoldClient } from '@trifold/client';
import { useLocation } from 'preact-iso';
import { useEffect, useMemo } from 'preact/hooks';
import { Loading } from '../../components/notices/loading.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useResource } from '../../loading/resource.ts';
import { preview as previewTexts } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import type { PathParameters } from '../../shell/address.ts';
import { useUnsavedChanges } from '../../shell/unsaved-changes.tsx';
import { HELPERS } from '../code/helpers.ts';
import { RevealTargetContext } from '../code/reveal-target.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';
import { fixesOf, type Fix } from '../problems/fixes.ts';
import { useProblems } from '../problems/find-problems.ts';
import { pathOf, rangeIn, type Problem } from '../problems/problem.ts';
import { ProblemsDrawer } from '../problems/problems-drawer.tsx';
import { LinkedSource, type SourceLink } from '../source/source-link.ts';
import { placeInQuery } from '../paths.ts';
import { liveVersion } from '../live-version.ts';
import { partOfPath } from './draft/draft.ts';
import { EditedTemplate, type OpenedDocument } from './draft/edited-template.ts';
import { EditorDialogs } from './editor-dialogs.tsx';
import { EditorHeader } from './editor-header.tsx';
import { NewerVersionNotice, OpenedNotice, RestoredNotice } from './editor-notices.tsx';
import { EditorParts } from './editor-parts.tsx';
import { useEditorTasks, type EditorTasks } from './editor-tasks.ts';
import { ConflictDialog, SaveError } from './save-error.tsx';
import { SplitPane } from './split-pane.tsx';
import { LiveVersion } from './live-version.tsx';
import styles from './editor.module.css';

/** One template: its parts next to a live preview. */
export function EditorPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const { document } = useLocation().query;
  const loaded = useResource(
    async (signal) => {
      const [template, samples, opened] = await Promise.all([
        client.templates.get(id, { signal }),
        client.templates.samples(id, { signal }),
        document === undefined ? undefined : openDocument(client, document, signal),
      ]);
      return { document, template, samples, opened };
    },
    [id, document],
  );
  if (loaded.error.value) return <ErrorNotice error={loaded.error.value} onRetry={loaded.reload} />;
  const props = loaded.value.value;
  if (props?.template.id !== id || props.document !== document) return <Loading />;
  return <TemplateEditor key={`${id} ${document}`} {...props} />;
}

interface TemplateEditorProps {
  readonly template: Template;
  readonly samples: readonly TemplateSample[];
  /** The document whose data to show, or why it cannot be shown. */
  readonly opened: OpenedDocument | TrifoldError | undefined;
}

function TemplateEditor({ template, samples, opened }: TemplateEditorProps) {
  const session = useSession();
  const problem = opened instanceof TrifoldError ? opened : undefined;
  const shown = opened instanceof TrifoldError ? undefined : opened;
  const edited = useMemo(() => new EditedTemplate(session, template, samples, shown), []);
  const tasks = useEditorTasks(edited);
  useEffect(() => showLinked(edited.link, tasks), []);
  useEffect(() => revealPlace(edited.link), []);
  const mayWrite = session.allows('templates:write');
  const isKept = useKeptDraft(edited);
  useProblems(edited);
  useEditorKeys(tasks);
  const parts = (
    <RevealTargetContext.Provider value={edited.link.revealTarget}>
      <EditorParts edited={edited} tasks={tasks} readOnly={!mayWrite} />
    </RevealTargetContext.Provider>
  );
  return (
    <div class={styles.page}>
      <EditorHeader edited={edited} tasks={tasks} />
      <OpenedNotice edited={edited} />
      <ErrorNotice error={problem} />
      <RestoredNotice edited={edited} />
      <NewerVersionNotice edited={edited} />
      <SaveError error={tasks.save.error.value} isKept={isKept.value} />
      <SplitPane
        side={tasks.side}
        start={parts}
        end={
          mayWrite ? (
            <LinkedSource.Provider value={edited.link}>
              <PreviewPane
                request={edited.request}
                isHeldBack={edited.isHeldBack}
                chosenFormat={tasks.format}
                onResult={(result) => edited.setResult(result)}
                comparison={{
                  hint: previewTexts.compareHint(liveVersion(edited.saved.value).name),
                  render: (alike) => <LiveVersion edited={edited} {...alike} />,
                }}
              />
            </LinkedSource.Provider>
          ) : (
            <SavedVersion edited={edited} />
          )
        }
      />
      {mayWrite && <EditedProblems edited={edited} />}
      <ConflictDialog edited={edited} save={tasks.save} />
      <EditorDialogs edited={edited} tasks={tasks} />
    </div>
  );
}

/** Response statuses if this session may not read a document's data, or if the data is no longer stored. */
const UNREADABLE: readonly unknown[] = [403, 404, 410];

/** Loads a document with its data, or returns why it cannot be read. */
async function openDocument(
  client: TrifoldClient,
  id: string,
  signal: AbortSignal,
): Promise<OpenedDocument | TrifoldError> {
  try {
    const document = await client.documents.get(id, { signal });
    return { document, data: await client.documents.data(id, { signal }) };
  } catch (error) {
    if (error instanceof TrifoldError && UNREADABLE.includes(error.status)) return error;
    throw error;
  }
}

/** Shows the position given in the page's URL. */
function revealPlace({ revealTarget }: SourceLink): void {
  const place = placeInQuery(new URLSearchParams(location.search).get('at') ?? undefined);
  if (place) revealTarget.value = { path: pathOf(place.part), rangeIn: (doc) => rangeIn(doc, place) };
}

/** The preview for a session that can only read templates. */
function SavedVersion({ edited }: { readonly edited: EditedTemplate }) {
  const request = useComputed(() => ({
    saved: edited.saved.value,
    data: edited.request.value?.data ?? {},
  }));
  return <PreviewPane request={request} />;
}

const HELPER_NAMES = HELPERS.map(({ name }) => name);

/** The template's problems, at the bottom of the window. */
function EditedProblems({ edited }: { readonly edited: EditedTemplate }) {
  const go = ({ path, places: [place] }: Problem) => {
    if (path !== undefined) edited.link.revealTarget.value = { path, rangeIn: (doc) => rangeIn(doc, place) };
  };
  const of = (problem: Problem) =>
    fixesOf(problem, { ...edited.draft.peek(), data: edited.data.peek() }, HELPER_NAMES);
  const apply = (problem: Problem, { label }: Fix) => {
    // The user may have typed since the fix was shown.
    const fix = of(problem).find((each) => each.label === label);
    if (!fix) return;
    const { data, ...draft } = fix.change;
    edited.edit(draft);
    if (data !== undefined) edited.editData(data);
    const { caret } = fix;
    if (caret === undefined) return;
    edited.link.revealTarget.value = {
      path: problem.path ?? '',
      rangeIn: () => ({ from: caret, to: caret }),
    };
  };
  return <ProblemsDrawer problems={edited.problems} onGo={go} fixes={{ of, apply }} />;
}

/** Immediately shows the part whose text the user navigates to, or the preview when they navigate there. */
function showLinked({ revealTarget, reveals }: SourceLink, { side, showPart }: EditorTasks): () => void {
  const stops = [
    revealTarget.subscribe((place) => {
      const next = place && partOfPath(place.path);
      if (next) showPart(next);
    }),
    reveals.subscribe((count) => {
      if (count > 0) side.value = 'preview';
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Ctrl-S saves and Ctrl-K shows the commands (Cmd on a Mac); a question mark shows the keys. */
function useEditorKeys({ startSave, shown }: EditorTasks): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOfKey(event);
      if (command === undefined) return;
      event.preventDefault();
      if (command === 'save') startSave();
      else shown.value ??= command;
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function commandOfKey(event: KeyboardEvent): 'save' | 'commands' | 'shortcuts' | undefined {
  const key = event.key.toLowerCase();
  const isModified = event.ctrlKey || event.metaKey;
  if (key === '?' && !isModified && !isTyping(event.target)) return 'shortcuts';
  if (!isModified || event.altKey) return undefined;
  return COMMAND_KEYS[key];
}

const COMMAND_KEYS: Readonly<Record<string, 'save' | 'commands'>> = { s: 'save', k: 'commands' };

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

const DELAY_MS = 400;

/**
 * Stores unsaved changes in this browser while the user types, and asks for confirmation before leaving the page with
 * them. The value is false when the browser has no space for them.
 */
function useKeptDraft(edited: EditedTemplate): ReadonlySignal<boolean> {
  const isKept = useSignal(true);
  useUnsavedChanges(edited.isChanged);
  useSignalEffect(() => {
    // A change causes another write, and so does a save that makes it the stored template.
    void edited.draft.value;
    void edited.saved.value;
    void edited.data.value;
    const timer = setTimeout(() => void (isKept.value = edited.keep()), DELAY_MS);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    const keep = () => void edited.keep();
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
  return isKept;
}
