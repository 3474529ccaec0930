import { css } from '@codemirror/lang-css';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useContext, useMemo, useRef } from 'preact/hooks';
import { classes } from '../../../components/classes.ts';
import { Button } from '../../../components/controls/button.tsx';
import { insertions as insertionTexts } from '../../../messages/insertions.ts';
import { editor as messages } from '../../../messages/template-editor.ts';
import { CodeEditor } from '../../code/code-editor.tsx';
import { foldedDataUris } from '../../code/data-uris.ts';
import { ACCEPTED_FILES, insertDroppedFiles, insertFiles } from '../../code/insert-file.ts';
import { htmlTemplate } from '../../code/template-language.ts';
import { linkedText, type SourceLink } from '../../source/source-link.ts';
import { useMarks } from '../../problems/find-problems.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { bindingsOf } from '../draft/template-bindings.ts';
import { Shown } from '../editor-tasks.ts';
import { FromDataButton, FromTemplateButton, MissingDataButton } from './data-buttons.tsx';
import { SamplesBar } from './samples-bar.tsx';
import styles from '../editor.module.css';

interface TextPanelProps extends PanelProps {
  readonly part: 'html' | 'css' | 'schema' | 'options';
  /** Language of the text, and what else it needs. */
  readonly extensions: Extension;
  readonly toolbar?: (view: EditorView) => ComponentChildren;
}

/** A part that is one text. */
export function TextPanel({ edited, part, ...editor }: TextPanelProps) {
  const value = useComputed(() => edited.draft.value[part]);
  const path = part === 'options' ? '/default_options' : `/${part}`;
  const problems = useMarks(edited.problems, path);
  return (
    <CodeEditor
      {...editor}
      label={messages.parts[part]}
      value={value}
      onChange={(written) => edited.edit({ [part]: written })}
      path={path}
      problems={problems}
    />
  );
}

export function HtmlPanel(props: PanelProps) {
  const { edited } = props;
  const extensions = useMemo(
    () => [
      htmlTemplate(() => bindingsOf(edited)),
      foldedDataUris,
      insertDroppedFiles('html'),
      linkedText(edited.link),
    ],
    [],
  );
  return (
    <TextPanel
      {...props}
      part="html"
      extensions={extensions}
      toolbar={(view) => (
        <div class="row">
          <InsertButton />
          <InsertFileButton onFiles={(files) => void insertFiles(view, files, 'html')} />
          <MissingDataButton edited={edited} />
          <ShowInPagesButton link={edited.link} />
        </div>
      )}
    />
  );
}

const cssLanguage = [css(), foldedDataUris, insertDroppedFiles('css')];

export function CssPanel(props: PanelProps) {
  return (
    <TextPanel
      {...props}
      part="css"
      extensions={cssLanguage}
      toolbar={(view) => <InsertFileButton onFiles={(files) => void insertFiles(view, files, 'css')} />}
    />
  );
}

export function SchemaPanel(props: PanelProps) {
  return (
    <TextPanel
      {...props}
      part="schema"
      extensions={json()}
      toolbar={() => (
        <div class="row">
          <FromTemplateButton edited={props.edited} />
          <FromDataButton edited={props.edited} />
        </div>
      )}
    />
  );
}

export function DataPanel({ edited, readOnly }: PanelProps) {
  const problems = useMarks(edited.problems, '/data');
  return (
    <>
      <SamplesBar edited={edited} readOnly={readOnly} />
      <p class="small muted">{messages.dataHint}</p>
      <CodeEditor
        label={messages.parts.data}
        value={edited.data}
        onChange={(data) => edited.editData(data)}
        extensions={json()}
        path="/data"
        problems={problems}
      />
    </>
  );
}

/** Chooses images and fonts for the text, as an alternative to dropping them. */
function InsertFileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      <Button onClick={() => input.current?.click()}>{messages.insertFile}</Button>
      <span class={classes(styles.hint, 'small muted')}>{messages.insertFileHint}</span>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        multiple
        hidden
        aria-label={messages.insertFile}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Shows what can be inserted at the cursor. */
function InsertButton() {
  const shown = useContext(Shown);
  if (!shown) return null;
  return (
    <Button icon="plus" title={insertionTexts.open} onClick={() => void (shown.value = 'insertions')}>
      {insertionTexts.title}
    </Button>
  );
}

/** Scrolls the preview to the text at the cursor. */
function ShowInPagesButton({ link }: { readonly link: SourceLink }) {
  if (!link.hasPages.value) return null;
  return (
    <Button
      title={messages.showInPagesHint}
      aria-keyshortcuts="Control+Alt+P Meta+Alt+P"
      onClick={() => void (link.reveals.value += 1)}
    >
      {messages.showInPages}
    </Button>
  );
}
