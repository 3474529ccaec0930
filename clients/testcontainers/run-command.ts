/**
 * Entry of the child process: runs the `trifold` command whose path is the first argument. Stops it when the parent
 * disconnects or ends, even if the parent was killed, and deletes the service's data.
 */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { TRIFOLD_DATA: data } = process.env;
const [, , command] = process.argv;
if (data === undefined || command === undefined) throw new Error('start this with startTrifold');

process.on('exit', () => {
  try {
    rmSync(data, { recursive: true, force: true });
  } catch {
    // Windows cannot delete open files; the parent deletes them later.
  }
});
process.once('disconnect', () => {
  // Windows has no signals that a process can handle.
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit();
});
// Otherwise, a service that fails to start would wait for the parent.
process.channel?.unref();

// The command reads its arguments after its path.
process.argv.splice(1, 1);
await import(pathToFileURL(command).href);
