import 'uplot/dist/uPlot.min.css';
import { useSignal } from '@preact/signals';
import type { DocumentFormat, UsageCounts } from '@trifold/client';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { classes } from '../components/classes.ts';
import { formatNumber } from '../components/format.ts';
import { usage as messages } from '../messages/usage.ts';
import { theme } from '../shell/theme.ts';
import { FORMAT_NAMES } from '../documents/formats.ts';
import { countOf, totalOf, type Keys, type UsageEntry } from './counts.ts';
import { formatDate } from './dates.ts';
import { colourName, plotOptions, stackedData, type PointedAt } from './plot-options.ts';
import styles from './usage.module.css';

interface UsagePlotProps {
  readonly entries: readonly UsageEntry[];
  readonly total: UsageCounts;
  readonly keys: Keys;
}

/** Documents by format as stacked bars. The table below has the same numbers for keyboard and screen reader users. */
export function UsagePlot({ entries, total, keys }: UsagePlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const pointed = useSignal<PointedAt | undefined>(undefined);
  const currentTheme = theme.value;
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const options = plotOptions(element, entries, (at) => void (pointed.value = at));
    const plot = new uPlot(options, stackedData(entries, keys), element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: options.height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [entries, keys, currentTheme]);
  return (
    <figure class={styles.plot}>
      <ul class={styles.legend}>
        {FORMAT_NAMES.map((format) => (
          <li key={format}>
            <Swatch format={format} /> {messages.formats[format]}{' '}
            <strong>{formatNumber(countOf(total, format, keys))}</strong>
          </li>
        ))}
      </ul>
      <div class={styles.canvas} ref={holder} role="img" aria-label={messages.plot} />
      <Tip pointed={pointed.value} entries={entries} keys={keys} />
    </figure>
  );
}

/** A format's color. */
function Swatch({ format }: { readonly format: DocumentFormat }) {
  return <span class={styles.swatch} style={{ background: `var(${colourName(format)})` }} />;
}

interface TipProps {
  readonly pointed: PointedAt | undefined;
  readonly entries: readonly UsageEntry[];
  readonly keys: Keys;
}

/** The numbers under the pointer. */
function Tip({ pointed, entries, keys }: TipProps) {
  const entry = pointed && entries[pointed.index];
  if (!entry) return null;
  return (
    <div
      class={classes(styles.tip, pointed.isRight && styles.left)}
      style={{ left: `${pointed.x}px` }}
      aria-hidden
    >
      <strong>{formatDate(entry.date)}</strong>
      {FORMAT_NAMES.map((format) => (
        <span key={format}>
          <Swatch format={format} /> {messages.formats[format]} {formatNumber(countOf(entry, format, keys))}
        </span>
      ))}
      <span>
        {messages.sum} {formatNumber(totalOf(entry, keys))}
      </span>
    </div>
  );
}
