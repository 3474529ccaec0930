const steps = new Set<() => void>();
let listening = false;

/**
 * Registers work for the moment this process exits: when it has ended its work, by `process.exit` or by an error that
 * nobody caught, but not when it is killed. The work is synchronous and nothing waits for what it begins; what it
 * throws is dropped. The last registered comes first. Returns a function that takes the work back.
 */
export function onProcessExit(work: () => void): () => void {
  if (!listening) {
    listening = true;
    process.on('exit', runAll);
  }
  // A function of its own, so that the same work can be registered twice.
  const step = () => work();
  steps.add(step);
  return () => void steps.delete(step);
}

function runAll(): void {
  for (const step of [...steps].toReversed()) {
    try {
      step();
    } catch {
      // The others have their turn all the same.
    }
  }
}
