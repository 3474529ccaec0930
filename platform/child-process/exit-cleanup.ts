const steps = new Set<() => void>();
let listening = false;

/**
 * Registers synchronous work to run when this process exits: after its last work, on `process.exit` or on an uncaught
 * error, but not when it is killed. Nothing waits for asynchronous work, and errors are ignored. Work runs in reverse
 * order of registration. Returns a function that unregisters the work.
 */
export function onProcessExit(work: () => void): () => void {
  if (!listening) {
    listening = true;
    process.on('exit', runAll);
  }
  // Wrapped in a new function, so that the same work can be registered twice.
  const step = () => work();
  steps.add(step);
  return () => void steps.delete(step);
}

function runAll(): void {
  for (const step of [...steps].toReversed()) {
    try {
      step();
    } catch {
      // The other steps must still run.
    }
  }
}
