import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processes in a group whose command line contains a string. */
export function groupPids(group: number, text = ''): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, , ownGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      return Number(ownGroup) === group && state !== 'Z' && command.includes(text);
    } catch {
      return false;
    }
  });
}
