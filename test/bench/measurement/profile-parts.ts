/** The part of Chromium's CPU profile format that is used here (Profiler.Profile). */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Number of microseconds between each sample and the previous one. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** Parts of the service's main thread, by file; the first match counts. */
const PARTS: readonly (readonly [part: string, file: RegExp])[] = [
  ['idle', /\/profile-on-signal\.ts$/],
  ['embedded API server', /\/embedded-apiserver\//],
  ['CDP', /\/puppeteer-core\/|\/renderer\/browser\/process\/|\/chromium-bidi\//],
  ['PDF', /\/renderer\/pdf\//],
  ['page and print', /\/renderer\/(browser|task\/print|formats)/],
  ['merge', /\/renderer\/merge\/|\/platform\/(templating|child-process)\//],
  ['renderer', /\/renderer\//],
  ['store', /\/platform\/object-store\//],
  ['queue', /\/platform\/render-queue\//],
  ['controller', /\/controller\//],
  ['Kubernetes client and caches', /\/platform\/kubernetes\//],
  ['gateway', /\/api-gateway\/|\/node_modules\/(fastify|@fastify|find-my-way|ajv|light-my-request|avvio)\//],
  ['log', /\/node_modules\/(pino|sonic-boom|thread-stream)/],
  ['platform', /\/platform\/|\/crds\/|\/standalone\//],
];

/** Parts that the profiler names itself. */
const OWN_PARTS: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'outside JavaScript'],
  ['(idle)', 'idle'],
]);

/**
 * Returns each part's share (0–1) of the time that is not idle. A sample counts for the innermost function that
 * belongs to a part, so the time in Node.js counts for its caller; time outside every part counts as `Node.js`.
 */
export function partShares({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const parts = partByNode(nodes);
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) ?? 'Node.js';
    if (part !== 'idle') times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([part, time]) => [part, time / total]));
}

function partByNode(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const visit = ([root, inherited]: readonly [ProfileNode, string]) => {
    const open: [ProfileNode, string][] = [[root, inherited]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [node, above] = next;
      const part = partOf(node) ?? above;
      parts.set(node.id, part);
      for (const child of node.children ?? []) open.push([byId.get(child) as ProfileNode, part]);
    }
  };
  if (nodes[0]) visit([nodes[0], 'Node.js']);
  return parts;
}

function partOf({ callFrame: { functionName, url } }: ProfileNode): string | undefined {
  return OWN_PARTS.get(functionName) ?? PARTS.find(([, file]) => file.test(url))?.[0];
}
