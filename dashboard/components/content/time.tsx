import { formatAgo, formatTime, formatUntil } from '../format.ts';

interface TimeProps {
  readonly at: string;
  /** Whether the time is in the future: "in 3 minutes" rather than "3 minutes ago". */
  readonly isFuture?: boolean;
}

/** A relative time that shows the exact time on hover. */
export function Time({ at, isFuture = false }: TimeProps) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {isFuture ? formatUntil(at) : formatAgo(at)}
    </time>
  );
}
