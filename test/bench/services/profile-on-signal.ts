/**
 * Preloaded by the bench (`node --import`): SIGUSR2 starts a CPU profile of the main thread, and the next SIGUSR2 ends
 * it and writes it to the file in TRIFOLD_BENCH_PROFILE.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const INTERVAL_US = 500;

const session = new Session();
let profiling = false;

async function toggle(): Promise<void> {
  profiling = !profiling;
  if (profiling) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.post('Profiler.start');
  } else {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(process.env['TRIFOLD_BENCH_PROFILE'] as string, JSON.stringify(profile));
  }
}

process.on('SIGUSR2', () => void toggle());
