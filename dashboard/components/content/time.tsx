import { formatShortAgo, formatTime } from '../format.ts';

/** A time as a distance from now, with the exact time when the pointer is over it. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatShortAgo(at)}
    </time>
  );
}
