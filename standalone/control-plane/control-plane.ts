import type { KindDefinition } from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/transport.ts';
import type { Logger } from 'pino';
import { BUILTIN_KINDS } from './builtin-kinds/builtin-kinds.ts';
import { serveCustomKind } from './custom-kind.ts';
import { ApiHandler } from './http/api-handler.ts';
import { indexKinds } from './http/route.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import { Compaction } from './store/compaction.ts';
import { Registry } from './store/registry.ts';
import { RevisionTable } from './store/revision-table.ts';
import type { WatchStream } from './store/watch-stream.ts';

export interface ControlPlaneOptions {
  /** Path of the SQLite file, or `:memory:`. One process at a time. */
  readonly file: string;
  readonly kinds: readonly KindDefinition[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A small API server for one machine. See DESIGN: what it has works as on a real one, and the rest is refused. */
export class EmbeddedControlPlane {
  readonly #handler: ApiHandler;
  readonly #stop: () => void;

  static async open(options: ControlPlaneOptions): Promise<EmbeddedControlPlane> {
    return new EmbeddedControlPlane(options);
  }

  private constructor(options: ControlPlaneOptions) {
    const { clock, logger } = options;
    const kinds = [...BUILTIN_KINDS, ...options.kinds.map((kind) => serveCustomKind(kind))];
    const table = new RevisionTable(options.file);
    const registry = new Registry(table, clock);
    const namespaces = new NamespaceLifecycle(registry, kinds, { clock, logger });
    const compaction = new Compaction(table, clock, logger);
    const open = new Set<WatchStream>();
    this.#handler = new ApiHandler({ registry, namespaces, clock, open }, indexKinds(kinds), {
      documents: new Map(),
      logger,
    });
    namespaces.start();
    compaction.start();
    this.#stop = () => {
      this.#handler.close();
      for (const stream of open) void stream.return();
      namespaces.stop();
      compaction.stop();
      table.close();
    };
  }

  /** Straight into the handler, for services of the same process. Trusted: no token. */
  get transport(): ApiTransport {
    return this.#handler;
  }

  async close(): Promise<void> {
    this.#stop();
  }
}
