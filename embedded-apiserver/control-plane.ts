import type { KindDefinition } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Durability } from '@trifold/platform/process/durability.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { serviceKubeConfig } from '@trifold/platform/kubernetes/client/service-kube-config.ts';
import { BUILTIN_KINDS } from './builtin-kinds/builtin-kinds.ts';
import { controlPlaneFileError } from './control-plane-file-error.ts';
import { serveCustomKind } from './custom-kind.ts';
import { EventExpiry } from './event-expiry.ts';
import { ApiHandler } from './http/api-handler.ts';
import { loadCredentials } from './tls/credentials.ts';
import { discoveryDocuments } from './http/discovery.ts';
import { openApiDocuments } from './http/openapi.ts';
import { indexKinds } from './http/route.ts';
import { TlsListener } from './tls/tls-listener.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import { OwnerCollection } from './owner-collection.ts';
import { Compaction } from './store/compaction.ts';
import { Registry } from './store/registry.ts';
import { RevisionTable } from './store/revision-table.ts';
import { UnreadBytes } from './store/unread-bytes.ts';
import type { WatchStream } from './store/watch-stream.ts';

export interface ControlPlaneOptions {
  /** Path of the SQLite file, or `:memory:`. Only one process at a time can open the file. */
  readonly file: string;
  readonly kinds: readonly KindDefinition[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Kind of failure that a write survives once its response is sent. @default 'process' */
  readonly durability?: Durability;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Directory of the CA, server certificate and token; created on first use, readable only by the owner. */
  readonly directory: string;
}

/** Address and credentials of the listener. The token and the kubeconfig are secrets. */
export interface ListeningAt {
  readonly url: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
  /** YAML. */
  readonly kubeconfig: string;
}

/**
 * A small API server for a single machine. Supported features work as on a real one; requests for any other feature
 * fail. See docs/explanation/embedded-apiserver.md.
 */
export class EmbeddedControlPlane {
  readonly #handler: ApiHandler;
  readonly #unread = new UnreadBytes();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #endRequests: () => void;
  readonly #stop: () => void;
  #closed: Promise<void> | undefined;
  readonly #listeners: TlsListener[] = [];

  /** Rejects with SetupError. */
  static async open(options: ControlPlaneOptions): Promise<EmbeddedControlPlane> {
    try {
      return new EmbeddedControlPlane(options);
    } catch (error) {
      throw controlPlaneFileError(options.file, error as Error);
    }
  }

  private constructor(options: ControlPlaneOptions) {
    const { clock, logger } = options;
    this.#clock = clock;
    this.#logger = logger;
    const kinds = [...BUILTIN_KINDS, ...options.kinds.map((kind) => serveCustomKind(kind))];
    const table = new RevisionTable(options.file, options.durability);
    const registry = new Registry(table, clock);
    const namespaces = new NamespaceLifecycle(registry, kinds, { clock, logger });
    const owners = new OwnerCollection(registry, kinds, { clock, logger, namespaces });
    const events = new EventExpiry(registry, clock);
    const compaction = new Compaction(table, clock, logger);
    const open = new Set<WatchStream>();
    const unread = this.#unread;
    this.#handler = new ApiHandler({ registry, namespaces, clock, open, unread }, indexKinds(kinds), {
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

  /** In-process transport for services in the same process. Trusted: no token. */
  get transport(): ApiTransport {
    return this.#handler;
  }

  /**
   * Serves the same API over TLS and HTTP/1.1, with its own CA and one bearer token. Rejects if it cannot listen on the
   * address, or cannot read or write the files.
   */
  async listen({ host, port, directory }: ListenOptions): Promise<ListeningAt> {
    const credentials = await loadCredentials(directory, host, this.#clock.now());
    const listener = new TlsListener(this.#handler, credentials, {
      clock: this.#clock,
      logger: this.#logger,
      unread: this.#unread,
    });
    const bound = await listener.listen(port, host);
    this.#listeners.push(listener);
    const { caCertificate, token } = credentials;
    const url = `https://${reachableHost(host)}:${bound}`;
    return { url, caCertificate, token, kubeconfig: serviceKubeConfig({ url, caCertificate, token }) };
  }

  /**
   * Ends open watches and connections and closes the file. Later requests reject as if the server were unreachable.
   * Idempotent.
   */
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

/** The host for URLs of clients on this machine. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
