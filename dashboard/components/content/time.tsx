import { formatAgo, formatTime, formatUntil } from '../format.ts';

interface TimeProps {
  readonly at: string;
  /** Whether the time is in the future: "in 3 minutes" rather than "3 minutes ago". */
  readonly isFuture?: boolean;
  /** Whether the exact time follows. @default it is shown on hover */
  readonly isExact?: boolean;
}

/** A relative time. */
export function Time({ at, isFuture = false, isExact = false }: TimeProps) {
  const exact = formatTime(at);
  return (
    <time dateTime={at} title={exact}>
      {isFuture ? formatUntil(at) : formatAgo(at)}
      {isExact && ` (${exact})`}
    </time>
  );
}
