import { groupMemoryBytes } from './group-memory.ts';

/** Most documents are finished before the first check. */
const EVERY_MS = 500;

/**
 * Calls `onExceeded` once when the processes of a group use more memory than allowed. Returns a function that ends the
 * watch.
 */
export function watchMemory(group: number, mostBytes: number, onExceeded: () => void): () => void {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const held = await groupMemoryBytes(group);
    if (ended) return;
    if (held > mostBytes) onExceeded();
    else lookLater();
  };
  const lookLater = () => {
    timer = setTimeout(() => void look(), EVERY_MS);
  };
  lookLater();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
