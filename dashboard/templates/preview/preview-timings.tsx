import type { Preview } from '@trifold/client';
import { formatNumber } from '../../components/format.ts';
import { preview as messages } from '../../messages/template-pages.ts';

interface PreviewTimingsProps {
  /** Undefined before the first preview. */
  readonly timings: Preview['timings'] | undefined;
  readonly running: boolean;
}

/** How long the service took, with the steps when the pointer is over it. */
export function PreviewTimings({ timings, running }: PreviewTimingsProps) {
  if (running || !timings) return <span class="small muted">{running && messages.updating}</span>;
  const steps = [timings.check_ms, timings.merge_ms, timings.print_ms] as const;
  const [check, merge, print] = steps.map((step) => formatNumber(Math.round(step))) as [
    string,
    string,
    string,
  ];
  const total = formatNumber(Math.round(steps.reduce((sum, step) => sum + step, 0)));
  return (
    <span class="small muted" title={messages.durationHint(check, merge, print)}>
      {messages.duration(total)}
    </span>
  );
}
