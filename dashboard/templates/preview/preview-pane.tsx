import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Preview } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Badge } from '../../components/content/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Switch } from '../../components/controls/switch.tsx';
import { formatMilliseconds } from '../../components/format.ts';
import { eInvoice } from '../../messages/e-invoices.ts';
import { preview as messages } from '../../messages/template-pages.ts';
import type { Zoom } from './pdf/pdf-pages.ts';
import { problemsOf } from '../problems/problem.ts';
import { ProblemsDrawer } from '../problems/problems-drawer.tsx';
import { PageBeside } from './page-beside.tsx';
import { PreviewResult } from './preview-result.tsx';
import { scrollTogether } from './scroll-together.ts';
import { useFormat, usePreview, type PreviewFormat, type PreviewSource } from './use-preview.ts';
import styles from './preview.module.css';

/** Display settings of the preview, so that a comparison uses the same ones. */
export interface ShownAlike {
  readonly format: ReadonlySignal<PreviewFormat>;
  readonly zoom: Signal<Zoom>;
}

interface PreviewPaneProps {
  /** Content to preview, if any. Its `format` is ignored: the pane has a switch. */
  readonly request: ReadonlySignal<PreviewSource | undefined>;
  /** Called with every response, and with undefined when a call fails. */
  readonly onResult?: (result: Preview | undefined) => void;
  /**
   * Whether the request cannot be previewed yet. The page then also shows its problems. @default the pane shows the
   * preview's problems
   */
  readonly isHeldBack?: ReadonlySignal<boolean>;
  readonly comparison?: Comparison;
  /** The format that the user selected. @default the pane has its own, initially PDF */
  readonly chosenFormat?: Signal<PreviewFormat>;
}

/** The version that documents use, which a button in the pane shows next to the preview. */
export interface Comparison {
  /** Label of the button. */
  readonly hint: string;
  readonly render: (alike: ShownAlike) => ComponentChildren;
}

/**
 * A template with data as the service prints it, updated a moment after each change. The last preview without errors
 * stays visible until there is a newer one. The pane is as high as its parent.
 */
export function PreviewPane({ request, isHeldBack, onResult, comparison, chosenFormat }: PreviewPaneProps) {
  const { format, formats, choose } = useFormat(request, chosenFormat);
  const previews = usePreview({ request, format, onResult });
  const { shown, latest, running, isOutdated } = previews;
  const isOld = useComputed(() => isOutdated.value || (shown.value !== undefined && isHeldBack?.value));
  const problems = useComputed(() => (latest.value ? problemsOf(latest.value) : []));
  const zoom = useSignal<Zoom>('width');
  const isComparing = useSignal(false);
  const compared = isComparing.value && comparison;
  const showsPage = useSignal(false);
  const isBeside = format.value === 'xml' && showsPage.value;
  const scroll = useMemo(scrollTogether, []);
  return (
    <section class={styles.pane} aria-label={messages.title} aria-busy={running.value}>
      <header class={styles.bar}>
        <Switch
          label={messages.format}
          choices={Object.fromEntries(formats.value.map((name) => [name, messages.formats[name]]))}
          value={format.value}
          onChange={choose}
        />
        {comparison && (
          <Button
            aria-label={comparison.hint}
            title={comparison.hint}
            aria-pressed={isComparing.value}
            onClick={() => void (isComparing.value = !isComparing.value)}
          >
            {messages.compare}
          </Button>
        )}
        {format.value === 'xml' && (
          <Button
            aria-label={eInvoice.pageHint}
            title={eInvoice.pageHint}
            aria-pressed={showsPage.value}
            onClick={() => void (showsPage.value = !showsPage.value)}
          >
            {eInvoice.page}
          </Button>
        )}
        {isOld.value ? (
          <span title={messages.outdatedHint}>
            <Badge kind="warning">{messages.outdated}</Badge>
          </span>
        ) : (
          <PreviewTimings timings={latest.value?.timings} running={running.value} />
        )}
      </header>
      <div class={styles.results} onScrollCapture={scroll}>
        {isBeside && <PageBeside request={request} zoom={zoom} />}
        {compared && compared.render({ format, zoom })}
        <PreviewResult
          key="preview"
          previews={previews}
          caption={captionOf(Boolean(compared), isBeside)}
          zoom={zoom}
        />
      </div>
      {!isHeldBack && <ProblemsDrawer problems={problems} />}
    </section>
  );
}

function captionOf(isCompared: boolean, isBeside: boolean): string | undefined {
  if (isCompared) return messages.yours;
  return isBeside ? messages.formats.xml : undefined;
}

interface PreviewTimingsProps {
  /** Undefined before the first preview. */
  readonly timings: Preview['timings'] | undefined;
  readonly running: boolean;
}

/** The service's rendering time; hovering shows the steps. */
function PreviewTimings({ timings, running }: PreviewTimingsProps) {
  if (running || !timings) return <span class="small muted">{running && messages.updating}</span>;
  const { check_ms: check, merge_ms: merge, print_ms: print } = timings;
  const steps = messages.durationHint(
    formatMilliseconds(check),
    formatMilliseconds(merge),
    formatMilliseconds(print),
  );
  return (
    <span class="small muted" title={steps}>
      {formatMilliseconds(check + merge + print)}
    </span>
  );
}
