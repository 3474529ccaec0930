import { EditorView } from '@codemirror/view';
import { Button } from '../../components/controls/button.tsx';
import { FileButton } from '../../components/controls/file-button.tsx';
import { eInvoice } from '../../messages/e-invoices.ts';
import { insertions as insertionTexts } from '../../messages/insertions.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { ACCEPTED_FILES, insertFiles } from '../code/insert-file.ts';
import type { SourceLink } from '../source/source-link.ts';
import type { Part } from './draft/draft.ts';

interface PartToolsProps {
  readonly part: Part;
  readonly link: SourceLink;
  /** Shows the snippets that can be inserted at the cursor. */
  readonly onInsert: () => void;
  /** Shows the XML of the e-invoice; undefined if there is none. */
  readonly onShowXml: (() => void) | undefined;
  /** ID of the element that contains the part's text. */
  readonly panelId: string;
}

/** Tools for the text of a part, next to the tabs. */
export function PartTools({ part, link, onInsert, onShowXml, panelId }: PartToolsProps) {
  if (part === 'e_invoice') {
    return (
      onShowXml && (
        <Button icon="show" aria-label={eInvoice.showXml} title={eInvoice.showXmlHint} onClick={onShowXml} />
      )
    );
  }
  if (part !== 'html' && part !== 'css') return null;
  const insert = (files: readonly File[]) => {
    const panel = document.getElementById(panelId);
    const view = panel && EditorView.findFromDOM(panel);
    if (view) void insertFiles(view, files, part);
  };
  return (
    <>
      {part === 'html' && (
        <Button
          icon="plus"
          aria-label={insertionTexts.title}
          title={insertionTexts.open}
          onClick={onInsert}
        />
      )}
      <FileButton
        icon="image"
        aria-label={messages.insertFile}
        title={messages.insertFileHint}
        accept={ACCEPTED_FILES}
        multiple
        onFiles={insert}
      />
      {part === 'html' && link.hasPages.value && (
        <Button
          icon="show"
          aria-label={messages.showInPages}
          title={messages.showInPagesHint}
          aria-keyshortcuts="Control+Alt+P Meta+Alt+P"
          onClick={() => void (link.reveals.value += 1)}
        />
      )}
    </>
  );
}
