import { css } from '@codemirror/lang-css';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { editor as messages } from '../../../messages/template-editor.ts';
import { CodeEditor } from '../../code/code-editor.tsx';
import { foldedDataUris } from '../../code/data-uris.ts';
import { insertDroppedFiles } from '../../code/insert-file.ts';
import { htmlTemplate } from '../../code/template-language.ts';
import { linkedText } from '../../source/source-link.ts';
import { useMarks } from '../../problems/find-problems.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { bindingsOf } from '../draft/template-bindings.ts';
import { FromDataButton, FromTemplateButton, MissingDataButton } from './data-buttons.tsx';
import { SamplesBar } from './samples-bar.tsx';

interface TextPanelProps extends PanelProps {
  readonly part: 'html' | 'css' | 'schema' | 'options';
  /** Language of the text, and other extensions. */
  readonly extensions: Extension;
}

/** A part that consists of one string. */
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
    <>
      {!props.readOnly && <MissingDataButton edited={edited} />}
      <TextPanel {...props} part="html" extensions={extensions} />
    </>
  );
}

const cssLanguage = [css(), foldedDataUris, insertDroppedFiles('css')];

export function CssPanel(props: PanelProps) {
  return <TextPanel {...props} part="css" extensions={cssLanguage} />;
}

export function SchemaPanel(props: PanelProps) {
  return (
    <>
      {!props.readOnly && (
        <div class="row">
          <FromTemplateButton edited={props.edited} />
          <FromDataButton edited={props.edited} />
        </div>
      )}
      <TextPanel {...props} part="schema" extensions={json()} />
    </>
  );
}

export function DataPanel({ edited, readOnly }: PanelProps) {
  const problems = useMarks(edited.problems, '/data');
  return (
    <>
      <SamplesBar edited={edited} readOnly={readOnly} />
      <p class="small muted">
        {messages.dataHint} {!readOnly && messages.dataSaveHint}
      </p>
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
