import type { ClusterProcesses } from '../../support/processes/cluster-processes.ts';
import type { NodeProcess } from '../../support/processes/node-process.ts';

/** Controllers that are replaced when they exit, as in Kubernetes: a busy leader may lose its lease. */
export class KeptControllers {
  readonly #cluster: ClusterProcesses;
  #isOver = false;

  constructor(cluster: ClusterProcesses) {
    this.#cluster = cluster;
  }

  /** Starts one more. Resolves when it is ready. */
  async add(timeoutMs?: number): Promise<NodeProcess> {
    const started = await this.#cluster.addController({}, timeoutMs);
    void started.ended.then(() => this.#replace());
    return started;
  }

  /** Replaces none from now on. */
  stop(): void {
    this.#isOver = true;
  }

  async #replace(): Promise<void> {
    if (this.#isOver) return;
    console.log('a controller exited; another one starts');
    await this.add().catch((error: Error) => {
      if (!this.#isOver) console.warn(`it did not start: ${error.message}`);
    });
  }
}
