import { formatAge, formatShortAgo, formatTime } from '../format.ts';

interface TimeProps {
  readonly at: string;
  /** Whether it is in a column of past times: "3 min" instead of "3min ago". */
  readonly isAge?: boolean;
}

/** A time as a distance from now, with the exact time when the pointer is over it. */
export function Time({ at, isAge = false }: TimeProps) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {isAge ? formatAge(at) : formatShortAgo(at)}
    </time>
  );
}
