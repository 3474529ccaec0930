import type { Signal } from '@preact/signals';
import { preview as messages } from '../../messages/template-pages.ts';
import { EmailView } from './email-view.tsx';
import { HtmlFrame } from './html-frame.tsx';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PdfView } from './pdf/pdf-view.tsx';
import { PngView } from './png-view.tsx';
import { DownloadButton } from './download-button.tsx';
import type { ShownPreview } from './use-preview.ts';

interface PreviewFileProps {
  readonly preview: ShownPreview;
  /** Size of PDF pages. */
  readonly zoom: Signal<Zoom>;
}

/** The file of a preview. */
export function PreviewFile({ preview, zoom }: PreviewFileProps) {
  const { format, file, email } = preview;
  switch (format) {
    case 'pdf':
      return <PdfView file={file} zoom={zoom} />;
    case 'png':
      return <PngView file={file} />;
    case 'html':
      return <HtmlFrame html={new TextDecoder().decode(file)} />;
    case 'email':
      return <EmailView html={new TextDecoder().decode(file)} email={email} />;
    case 'docx':
      return (
        <div class="preview-word stack">
          <p>{messages.wordNote}</p>
          <DownloadButton file={file} name={`${messages.filename}.docx`} />
        </div>
      );
  }
}
