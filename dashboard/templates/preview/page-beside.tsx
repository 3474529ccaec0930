import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { eInvoice as messages } from '../../messages/e-invoices.ts';
import type { Zoom } from './pdf/pdf-pages.ts';
import { PreviewResult } from './preview-result.tsx';
import { usePreview, type PreviewFormat, type PreviewSource } from './use-preview.ts';

interface PageBesideProps {
  readonly request: ReadonlySignal<PreviewSource | undefined>;
  readonly zoom: Signal<Zoom>;
}

const PDF = signal<PreviewFormat>('pdf');

/** The pages of a document whose XML is shown next to them. */
export function PageBeside({ request, zoom }: PageBesideProps) {
  const previews = usePreview({ request, format: PDF });
  return <PreviewResult previews={previews} caption={messages.page} zoom={zoom} />;
}
