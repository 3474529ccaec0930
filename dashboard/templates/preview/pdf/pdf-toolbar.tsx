import { Button } from '../../../components/button.tsx';
import { formatNumber } from '../../../components/format.ts';
import { text } from '../../../messages/text.ts';
import type { PagesState, Zoom } from './pdf-pages.ts';

const { preview: messages } = text;

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

interface PdfToolbarProps {
  readonly state: PagesState;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** Number of the page and size of the pages. */
export function PdfToolbar({ state: { current, count, scale }, zoom, onZoom }: PdfToolbarProps) {
  const smaller = STEPS.findLast((step) => step < scale - 0.01);
  const larger = STEPS.find((step) => step > scale + 0.01);
  return (
    <div class="pdf-toolbar row spread">
      <span class="small muted">{messages.pageOf(formatNumber(current), formatNumber(count))}</span>
      <div class="row">
        <Button
          kind="quiet"
          aria-label={messages.zoomOut}
          onClick={() => void (smaller !== undefined && onZoom(smaller))}
        >
          −
        </Button>
        <span class="small pdf-percent">{messages.zoomPercent(formatNumber(Math.round(scale * 100)))}</span>
        <Button
          kind="quiet"
          aria-label={messages.zoomIn}
          onClick={() => void (larger !== undefined && onZoom(larger))}
        >
          +
        </Button>
        <Button kind="quiet" aria-pressed={zoom === 'width'} onClick={() => onZoom('width')}>
          {messages.fitWidth}
        </Button>
      </div>
    </div>
  );
}
