import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { saveFile } from '../../components/save-file.ts';
import { FORMATS } from '../../documents/formats.ts';
import { preview as messages } from '../../messages/template-pages.ts';
import { useLabel } from './caption.ts';
import { EmailView } from './email-view.tsx';
import { HtmlFrame } from './html-frame.tsx';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PdfView } from './pdf/pdf-view.tsx';
import { XmlView } from './xml-view.tsx';
import type { ShownPreview } from './use-preview.ts';
import styles from './preview.module.css';

interface PreviewFileProps {
  readonly preview: ShownPreview;
  /** Size of PDF pages. */
  readonly zoom: Signal<Zoom>;
  /** Whether text has a download button. @default true */
  readonly canDownload?: boolean;
}

export function PreviewFile({ preview, zoom, canDownload = true }: PreviewFileProps) {
  const { format, file, email } = preview;
  if (format === 'email') return <EmailView html={new TextDecoder().decode(file)} email={email} />;
  const { shown, contentType, extension, label } = FORMATS[format];
  const download = () => saveFile(new Blob([file], { type: contentType }), messages.filename + extension);
  switch (shown) {
    case 'pages':
      return <PdfView file={file} zoom={zoom} />;
    case 'image':
      return <ImageView file={file} type={contentType} />;
    case 'website':
      return <HtmlFrame html={new TextDecoder().decode(file)} />;
    case 'text':
      return <XmlView xml={new TextDecoder().decode(file)} onDownload={canDownload ? download : undefined} />;
    case 'download':
      return (
        <div class={classes(styles.download, 'stack')}>
          <p>{messages.notShown(label)}</p>
          <Button onClick={download}>{messages.download}</Button>
        </div>
      );
  }
}

interface ImageViewProps {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** An image of a given media type. A newer one replaces the old one once it is decoded. */
function ImageView({ file, type }: ImageViewProps) {
  const label = useLabel(messages.picture);
  const url = useSignal<string | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    const next = URL.createObjectURL(new Blob([file], { type }));
    let isCurrent = true;
    const image = new Image();
    image.src = next;
    image.decode().then(
      () => {
        if (isCurrent) url.value = next;
      },
      () => {
        if (isCurrent) error.value = new Error(messages.notPdf);
      },
    );
    return () => {
      isCurrent = false;
      // The image stays visible until the next one is decoded; the element has its own copy.
      URL.revokeObjectURL(next);
    };
  }, [file, type]);
  if (error.value !== undefined) return <ErrorNotice error={error.value} />;
  return (
    <div class={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      {url.value !== undefined && <img class={styles.picture} src={url.value} alt={messages.picture} />}
    </div>
  );
}
