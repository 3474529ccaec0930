import { groupMemoryBytes } from './group-memory.ts';

/** Most documents are printed before it looks for the first time. */
const EVERY_MS = 500;

/** Calls `onExceeded` once when the processes of a group hold more than they may. Answers what ends the watch. */
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
