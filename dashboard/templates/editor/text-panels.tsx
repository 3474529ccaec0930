import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { css } from '@codemirror/lang-css';
import { json } from '@codemirror/lang-json';
import { editor as messages } from '../../messages/template-editor.ts';
import { CodeEditor } from '../code/code-editor.tsx';
import { foldedDataUris } from '../code/data-uris.ts';
import { insertDroppedFiles, insertFiles } from '../code/insert-file.ts';
import { htmlTemplate } from '../code/template-language.ts';
import { linkedText } from '../source/source-link.ts';
import type { PanelProps } from './edited-template.ts';
import { InsertFileButton } from './insert-file-button.tsx';
import { ShowInPagesButton } from './show-in-pages-button.tsx';
import { SamplesBar } from './samples-bar.tsx';
import { errorsOf, findJsonProblems, findTextProblems } from './part-problems.ts';
import { bindingsOf } from './template-bindings.ts';

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
