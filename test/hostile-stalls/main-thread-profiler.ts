import { Session, type Profiler } from 'node:inspector/promises';

/** Number of functions to report. */
const MOST_FUNCTIONS = 6;

type ProfileNode = Profiler.Profile['nodes'][number];

/** Records CPU profiles of this thread, which show the functions that block it. */
export class MainThreadProfiler {
  #session: Session | undefined;

  async start(): Promise<void> {
    this.#session = new Session();
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.start');
  }

  /** Returns the functions of the longest stall, slowest first. Empty when no profile was started. */
  async stop(): Promise<string[]> {
    if (!this.#session) return [];
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.disconnect();
    this.#session = undefined;
    return functionsOf(longestStall(profile), profile.nodes);
  }
}

/** Nodes of samples, with their milliseconds. */
interface Stall {
  readonly samples: (readonly [node: number, ms: number])[];
  ms: number;
}

/** Returns the longest sequence of samples in which the thread is never idle. */
function longestStall({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Stall {
  const idle = new Set(nodes.filter(isIdle).map(({ id }) => id));
  let longest: Stall = { samples: [], ms: 0 };
  let current: Stall = { samples: [], ms: 0 };
  for (const [index, node] of samples.entries()) {
    const ms = (timeDeltas[index] ?? 0) / 1000;
    if (idle.has(node)) {
      current = { samples: [], ms: 0 };
    } else {
      current.samples.push([node, ms]);
      current.ms += ms;
    }
    if (current.ms > longest.ms) longest = current;
  }
  return longest;
}

/** The start and the end of the profile itself also count as idle. */
function isIdle({ callFrame: { functionName, url } }: ProfileNode): boolean {
  return functionName === '(idle)' || url.startsWith('node:inspector');
}

function functionsOf({ samples }: Stall, nodes: readonly ProfileNode[]): string[] {
  const names = namesOf(nodes);
  const times = new Map<string, number>();
  for (const [node, ms] of samples) {
    const name = names.get(node) ?? '';
    times.set(name, (times.get(name) ?? 0) + ms);
  }
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FUNCTIONS)
    .map(([name, ms]) => `${Math.round(ms)} ms ${name}`);
}

/** Names a function together with its nearest caller in a file, because native code alone does not show the cause. */
function namesOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const callerOf = (node: ProfileNode): ProfileNode | undefined => {
    let caller: ProfileNode | undefined = node;
    while (caller && !caller.callFrame.url.startsWith('file:')) caller = parents.get(caller.id);
    return caller;
  };
  return new Map(
    nodes.map((node) => {
      const caller = callerOf(node);
      const from = caller && caller !== node ? ` from ${nameOf(caller)}` : '';
      return [node.id, nameOf(node) + from];
    }),
  );
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'}${url === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}
