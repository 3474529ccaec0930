import type { Signal } from '@preact/signals';
import { classes } from '../../../components/classes.ts';
import { Button } from '../../../components/controls/button.tsx';
import { formatNumber } from '../../../components/format.ts';
import { preview as messages } from '../../../messages/template-pages.ts';
import type { PagesState, Zoom } from './pdf-pages.ts';
import styles from '../preview.module.css';

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

interface PdfToolbarProps {
  readonly state: PagesState;
  readonly zoom: Signal<Zoom>;
  /** Goes to the page's source; undefined if there is none. */
  readonly onSource?: (() => void) | undefined;
}

/** Page number and zoom. */
export function PdfToolbar({ state: { current, count, scale }, zoom, onSource }: PdfToolbarProps) {
  const smaller = STEPS.findLast((step) => step < scale - 0.01);
  const larger = STEPS.find((step) => step > scale + 0.01);
  const fit = zoom.value === 'width' ? 'page' : 'width';
  const zoomTo = (next: Zoom = zoom.value) => {
    return () => void (zoom.value = next);
  };
  return (
    <div class={classes(styles.toolbar, 'row spread')}>
      <span class="small muted">{messages.pageOf(formatNumber(current), formatNumber(count))}</span>
      {onSource && (
        <Button
          class={styles.source}
          kind="quiet"
          title={messages.goToSourceHint}
          aria-keyshortcuts="Control+Alt+P Meta+Alt+P"
          onClick={onSource}
        >
          {messages.goToSource}
        </Button>
      )}
      <div class="row">
        <Button kind="quiet" aria-label={messages.zoomOut} onClick={zoomTo(smaller)}>
          −
        </Button>
        <span class={classes(styles.percent, 'small')}>
          {messages.zoomPercent(formatNumber(Math.round(scale * 100)))}
        </span>
        <Button kind="quiet" aria-label={messages.zoomIn} onClick={zoomTo(larger)}>
          +
        </Button>
        <Button kind="quiet" onClick={zoomTo(fit)}>
          {messages.fit[fit]}
        </Button>
      </div>
    </div>
  );
}
