/** Into so many parts the time is cut. */
const PARTS = 4;

/**
 * Calls `onLate` when so many milliseconds have passed in which an answer could have been read. When this process was
 * busy for longer, or the whole machine stood still, its timers come before what has been answered meanwhile: such a
 * halt counts for no more than a part of the time. Answers what cancels it.
 */
export function patientTimeout(milliseconds: number, onLate: () => void): () => void {
  let timer: NodeJS.Timeout;
  const waitFor = (parts: number) => {
    timer = setTimeout(() => (parts === 1 ? onLate() : waitFor(parts - 1)), milliseconds / PARTS);
  };
  waitFor(PARTS);
  return () => clearTimeout(timer);
}
