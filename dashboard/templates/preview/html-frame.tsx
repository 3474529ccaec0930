import { useEffect, useRef } from 'preact/hooks';
import { preview as messages } from '../../messages/template-pages.ts';
import { useLabel } from './caption.ts';
import styles from './preview.module.css';

/**
 * HTML in a frame with an opaque origin, in which nothing runs or loads (api-gateway/dashboard/frame.ts). Newer HTML
 * replaces the content and keeps the scroll position.
 */
export function HtmlFrame({ html }: { readonly html: string }) {
  const title = useLabel(messages.frame);
  const frame = useRef<HTMLIFrameElement>(null);
  const isLoaded = useRef(false);
  // A sandboxed page has an opaque origin, so no target origin can be given.
  const send = () => frame.current?.contentWindow?.postMessage(html, '*');
  useEffect(() => {
    if (isLoaded.current) send();
  }, [html]);
  return (
    <iframe
      class={styles.frame}
      ref={frame}
      title={title}
      src="/dashboard/frame"
      onLoad={() => {
        isLoaded.current = true;
        send();
      }}
    />
  );
}
