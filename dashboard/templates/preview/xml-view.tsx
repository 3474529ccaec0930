import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { eInvoice as messages } from '../../messages/e-invoices.ts';
import { preview as previewTexts } from '../../messages/template-pages.ts';
import codeStyles from '../code/code-editor.module.css';
import type { ShownText } from '../code/xml-text.ts';
import { useLabel } from './caption.ts';
import styles from './preview.module.css';

interface XmlViewProps {
  readonly xml: string;
  /** @default no button */
  readonly onDownload: (() => void) | undefined;
}

/** The XML of an e-invoice. Newer XML replaces the old one and keeps the scroll position. */
export function XmlView({ xml, onDownload }: XmlViewProps) {
  const label = useLabel(messages.xml);
  const parent = useRef<HTMLDivElement>(null);
  const shown = useSignal<ShownText | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    open(abort.signal).catch((thrown: unknown) => void (error.value = thrown));
    return () => abort.abort();
  }, []);
  const open = async (signal: AbortSignal) => {
    const { showXml } = await import('../code/xml-text.ts');
    if (!parent.current || signal.aborted) return;
    const text = showXml(parent.current, label);
    signal.addEventListener('abort', text.close, { once: true });
    shown.value = text;
  };
  useEffect(() => shown.value?.replace(xml), [shown.value, xml]);
  return (
    <>
      <ErrorNotice error={error.value} />
      <div class={classes(codeStyles.editor, styles.xml)} ref={parent} />
      {onDownload && (
        <div class={styles.tools}>
          <Button icon="download" onClick={onDownload}>
            {previewTexts.download}
          </Button>
        </div>
      )}
    </>
  );
}
