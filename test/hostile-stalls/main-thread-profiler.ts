import { Session, type Profiler } from 'node:inspector/promises';

/** How many functions are reported. */
const MOST_FUNCTIONS = 6;
/** No function of the service: waiting, and the profiler itself. */
const NOT_WORK = /^\(idle\)|^\(program\)|node:inspector/;

/** CPU profiles of this thread: they say which functions hold it. */
export class MainThreadProfiler {
  #session: Session | undefined;

  async start(): Promise<void> {
    this.#session = new Session();
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.start');
  }

  /** Functions that took most time themselves, the first took most. Empty when no profile was started. */
  async stop(): Promise<string[]> {
    if (!this.#session) return [];
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.disconnect();
    this.#session = undefined;
    return busiestFunctions(profile);
  }
}

function busiestFunctions({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '?';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  }
  return [...times]
    .filter(([name]) => !NOT_WORK.test(name))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FUNCTIONS)
    .map(([name, ms]) => `${Math.round(ms)} ms ${name}`);
}

function nameOf({ functionName, url, lineNumber }: Profiler.Profile['nodes'][number]['callFrame']): string {
  const file = url.split('/').slice(-2).join('/');
  return url === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
}
