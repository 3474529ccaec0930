import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { useLabel } from './caption.ts';

/** A picture. A newer one replaces the old one once it is decoded. */
export function PngView({ file }: { readonly file: Uint8Array<ArrayBuffer> }) {
  const label = useLabel(messages.picture);
  const url = useSignal<string | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    const next = URL.createObjectURL(new Blob([file], { type: 'image/png' }));
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
      // The picture stays visible until the next one is decoded; the element has its own copy.
      URL.revokeObjectURL(next);
    };
  }, [file]);
  if (error.value !== undefined) return <ErrorNotice error={error.value} />;
  return (
    <div class="preview-scroll" role="region" aria-label={label} tabIndex={0}>
      {url.value !== undefined && <img class="preview-picture" src={url.value} alt={messages.picture} />}
    </div>
  );
}
