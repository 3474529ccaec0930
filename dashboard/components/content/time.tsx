import { formatAge, formatShortAgo, formatTime } from '../format.ts';

interface TimeProps {
  readonly at: string;
  /** Whether it is in a column of past times: "3 min" rather than "3min ago". */
  readonly isAge?: boolean;
}

/** A relative time that shows the exact time on hover. */
export function Time({ at, isAge = false }: TimeProps) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {isAge ? formatAge(at) : formatShortAgo(at)}
    </time>
  );
}
