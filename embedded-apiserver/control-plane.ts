import type { KindDefinition } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { BUILTIN_KINDS } from './builtin-kinds/builtin-kinds.ts';
import { ControlPlaneFileError } from './control-plane-file-error.ts';
import { serveCustomKind } from './custom-kind.ts';
import { EventExpiry } from './event-expiry.ts';
import { ApiHandler } from './http/api-handler.ts';
import { loadCredentials } from './tls/credentials.ts';
import { discoveryDocuments } from './http/discovery.ts';
import { kubeconfigText } from './tls/kubeconfig.ts';
import { openApiDocuments } from './http/openapi.ts';
import { indexKinds } from './http/route.ts';
import { TlsListener } from './tls/tls-listener.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import { OwnerCollection } from './owner-collection.ts';
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

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where the CA, the server certificate and the token are kept; made on first use, readable by the owner only. */
  readonly directory: string;
}

/** How to reach the listener. The token and the kubeconfig are secrets. */
export interface ListeningAt {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
  /** YAML. */
  readonly kubeconfig: string;
}

/** A small API server for one machine. See docs/architecture.md: what it has works as on a real one, and the rest is refused. */
export class EmbeddedControlPlane {
  readonly #handler: ApiHandler;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #endRequests: () => void;
  readonly #stop: () => void;
  #closed: Promise<void> | undefined;
  readonly #listeners: TlsListener[] = [];

  /** Rejects with ControlPlaneFileError. */
  static async open(options: ControlPlaneOptions): Promise<EmbeddedControlPlane> {
    try {
      return new EmbeddedControlPlane(options);
    } catch (error) {
      throw ControlPlaneFileError.of(options.file, error);
    }
  }

  private constructor(options: ControlPlaneOptions) {
    const { clock, logger } = options;
    this.#clock = clock;
    this.#logger = logger;
    const kinds = [...BUILTIN_KINDS, ...options.kinds.map((kind) => serveCustomKind(kind))];
    const table = new RevisionTable(options.file);
    const registry = new Registry(table, clock);
    const namespaces = new NamespaceLifecycle(registry, kinds, { clock, logger });
    const owners = new OwnerCollection(registry, kinds, { clock, logger, namespaces });
    const events = new EventExpiry(registry, clock);
    const compaction = new Compaction(table, clock, logger);
    const open = new Set<WatchStream>();
    this.#handler = new ApiHandler({ registry, namespaces, clock, open }, indexKinds(kinds), {
      documents: new Map(
        [...discoveryDocuments(kinds), ...openApiDocuments(kinds)].map(([path, document]) => [
          path,
          JSON.stringify(document),
        ]),
      ),
      logger,
    });
    const parts = [namespaces, owners, events, compaction];
    for (const part of parts) part.start();
    this.#endRequests = () => {
      this.#handler.close();
      for (const stream of open) void stream.return();
    };
    this.#stop = () => {
      for (const part of parts) part.stop();
      table.close();
    };
  }

  /** Straight into the handler, for services of the same process. Trusted: no token. */
  get transport(): ApiTransport {
    return this.#handler;
  }

  /**
   * Serves the same over TLS, with a CA of its own and one bearer token. HTTP/1.1. Rejects when the address cannot be
   * had or the files cannot be read or written.
   */
  async listen({ host, port, directory }: ListenOptions): Promise<ListeningAt> {
    const credentials = await loadCredentials(directory, host, this.#clock.now());
    const listener = new TlsListener(this.#handler, credentials, this.#logger);
    const bound = await listener.listen(port, host);
    this.#listeners.push(listener);
    const { caCertificate, token } = credentials;
    const url = `https://${reachableHost(host)}:${bound}`;
    return { url, caCertificate, token, kubeconfig: kubeconfigText({ url, caCertificate, token }) };
  }

  /** Ends open watches and connections and closes the file. Requests afterwards reject as to a server that is gone.
   * Safe to call more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#endRequests();
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close()));
    this.#stop();
  }
}

/** The host as clients on this machine write it in a URL. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
