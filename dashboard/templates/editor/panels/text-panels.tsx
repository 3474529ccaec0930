import { css } from '@codemirror/lang-css';
import { json } from '@codemirror/lang-json';
import { useComputed } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { classes } from '../../../components/classes.ts';
import { Button } from '../../../components/controls/button.tsx';
import { editor as messages } from '../../../messages/template-editor.ts';
import { CodeEditor } from '../../code/code-editor.tsx';
import { foldedDataUris } from '../../code/data-uris.ts';
import { ACCEPTED_FILES, insertDroppedFiles, insertFiles } from '../../code/insert-file.ts';
import { htmlTemplate } from '../../code/template-language.ts';
import { linkedText } from '../../source/source-link.ts';
import type { SourceLink } from '../../source/source-link.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { errorsOf, findJsonProblems, findTextProblems } from '../draft/part-problems.ts';
import { bindingsOf } from '../draft/template-bindings.ts';
import { SamplesBar } from './samples-bar.tsx';
import styles from '../editor.module.css';

export function HtmlPanel({ edited, readOnly }: PanelProps) {
  const value = useComputed(() => edited.draft.value.html);
  const problems = useComputed(() => findTextProblems(errorsOf('html', edited.result.value)));
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
    <CodeEditor
      label={messages.parts.html}
      value={value}
      onChange={(html) => edited.edit({ html })}
      extensions={extensions}
      problems={problems}
      readOnly={readOnly}
      toolbar={(view) => (
        <div class="row">
          <InsertFileButton onFiles={(files) => void insertFiles(view, files, 'html')} />
          <ShowInPagesButton link={edited.link} />
        </div>
      )}
    />
  );
}

const cssLanguage = [css(), foldedDataUris, insertDroppedFiles('css')];

export function CssPanel({ edited, readOnly }: PanelProps) {
  const value = useComputed(() => edited.draft.value.css);
  const problems = useComputed(() => findTextProblems(errorsOf('css', edited.result.value)));
  return (
    <CodeEditor
      label={messages.parts.css}
      value={value}
      onChange={(css) => edited.edit({ css })}
      extensions={cssLanguage}
      problems={problems}
      readOnly={readOnly}
      toolbar={(view) => <InsertFileButton onFiles={(files) => void insertFiles(view, files, 'css')} />}
    />
  );
}

export function SchemaPanel({ edited, readOnly }: PanelProps) {
  const value = useComputed(() => edited.draft.value.schema);
  const problems = useComputed(() => findJsonProblems(errorsOf('schema', edited.result.value), '/schema'));
  return (
    <CodeEditor
      label={messages.parts.schema}
      value={value}
      onChange={(schema) => edited.edit({ schema })}
      extensions={json()}
      problems={problems}
      readOnly={readOnly}
    />
  );
}

export function DataPanel({ edited, readOnly }: PanelProps) {
  const problems = useComputed(() => findJsonProblems(errorsOf('data', edited.result.value), '/data'));
  return (
    <>
      <SamplesBar edited={edited} readOnly={readOnly} />
      <p class="small muted">{messages.dataHint}</p>
      <CodeEditor
        label={messages.parts.data}
        value={edited.data}
        onChange={(data) => edited.editData(data)}
        extensions={json()}
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
