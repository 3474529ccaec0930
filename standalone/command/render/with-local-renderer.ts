import { exitCodeOf, onStopSignal } from '../../stop-signals.ts';
import { clearProgress } from '../progress.ts';
import { LocalRenderer } from './local-renderer.ts';

const MINUTE_MS = 60_000;

/** Runs a command with a renderer, which stops afterwards. A stop signal ends the process. Throws ConfigError. */
export async function withLocalRenderer<T>(run: (renderer: LocalRenderer) => Promise<T>): Promise<T> {
  onStopSignal((signal) => process.exit(exitCodeOf(signal)));
  const renderer = new LocalRenderer(process.env);
  // Before the browser runs, nothing else keeps this process alive: its other children do not.
  const staying = setInterval(() => undefined, MINUTE_MS);
  try {
    return await run(renderer);
  } finally {
    clearProgress();
    await renderer.stop();
    clearInterval(staying);
  }
}
