import { randomInt } from 'node:crypto';
import { apiVersionOf } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { forbidden } from '../objects/field-error.ts';
import { expired, tooLargeResourceVersion } from '../objects/status-error.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { metadataJson, tableOf, type TableOptions } from '../objects/table.ts';
import { storageKey } from '../served-kind.ts';
import { rangeOf, type Registry } from '../store/registry.ts';
import type { UnreadBytes } from '../store/unread-bytes.ts';
import { WatchStream, type WatchEncoder } from '../store/watch-stream.ts';
import { includeObjectOf, type Representation } from './accept.ts';
import { rejectOptions, selectionOf, wholeNumber } from './list-options.ts';
import type { ResourceRoute } from './route.ts';

/** A watch without a timeout lasts 30 to 60 minutes (kube-apiserver `--min-request-timeout`). */
const MIN_WATCH_S = 1800;

/** Dependencies of a watch. */
export interface WatchServer {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Open streams, which the server ends when it closes. */
  readonly open: Set<WatchStream>;
  readonly unread: UnreadBytes;
}

interface WatchRequest {
  readonly route: ResourceRoute;
  readonly query: Readonly<Record<string, string>>;
  readonly representation: Representation;
  readonly signal: AbortSignal | undefined;
}

/** Opens a watch and returns its stream, one JSON event per line. */
export function watchResponse(server: WatchServer, request: WatchRequest): ApiResponse {
  const { route, query } = request;
  const selection = selectionOf(route.kind, query);
  if (query['sendInitialEvents'] !== undefined)
    rejectOptions([forbidden('sendInitialEvents', 'sendInitialEvents is not supported by this server')]);
  const version = wholeNumber(query['resourceVersion'], 'resourceVersion');
  const seconds = wholeNumber(query['timeoutSeconds'], 'timeoutSeconds');
  if (version !== undefined && version > server.registry.revision)
    throw tooLargeResourceVersion(version, server.registry.revision);
  const stream = new WatchStream(server.registry, server.clock, {
    kindPrefix: route.kind.keyPrefix,
    range: rangeOf(storageKey(route.kind, route.namespace)),
    matches: selection.matches,
    after: version === undefined || version === 0 ? undefined : version,
    bookmarks: query['allowWatchBookmarks'] === 'true' || query['allowWatchBookmarks'] === '1',
    timeoutMs: 1000 * (seconds && seconds > 0 ? seconds : MIN_WATCH_S + randomInt(MIN_WATCH_S)),
    signal: request.signal,
    encode: encoderFor(request, server),
    unread: server.unread,
  });
  server.open.add(stream);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: untracked(server.open, stream),
  };
}

/** Removes the stream from the open streams when it ends. */
function untracked(open: Set<WatchStream>, stream: WatchStream): AsyncIterableIterator<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const result = await stream.next();
      if (result.done) open.delete(stream);
      return result;
    },
    return() {
      open.delete(stream);
      return stream.return();
    },
  };
}

function encoderFor(request: WatchRequest, server: WatchServer): WatchEncoder {
  const { route, representation } = request;
  const shaperOfLine = shaper(request, server);
  const empty = {
    kind: representation === 'metadata' ? 'PartialObjectMetadata' : route.kind.kind,
    apiVersion: representation === 'metadata' ? 'meta.k8s.io/v1' : apiVersionOf(route.kind),
  };
  return {
    line: () => {
      const shape = shaperOfLine?.();
      return {
        event: (change, type) => (shape ? lineOf(type, shape(change.shownJson(type))) : change.line(type)),
        initial: (json) => lineOf('ADDED', shape ? shape(json) : json),
      };
    },
    bookmark: (revision) => {
      const object = JSON.stringify({ ...empty, metadata: { resourceVersion: String(revision) } });
      // In a table, a bookmark is also a row: kubectl reads its resourceVersion.
      return lineOf('BOOKMARK', representation === 'table' && shaperOfLine ? shaperOfLine()(object) : object);
    },
    expired: (message) => lineOf('ERROR', JSON.stringify(expired(message).status)),
  };
}

/** Returns the conversion for the object in a line, as JSON; undefined if lines show the stored object. */
function shaper(
  request: WatchRequest,
  { registry, clock }: WatchServer,
): (() => (json: string) => string) | undefined {
  const { route, representation, query } = request;
  if (representation === 'object') return undefined;
  if (representation === 'metadata') return () => (json) => metadataJson(registry.table.metadataIn(json));
  const includeObject = includeObjectOf(query);
  let definitions = true;
  return () => {
    let options: TableOptions | undefined;
    return (json) => {
      const object = JSON.parse(json) as StoredObject;
      options ??= { columns: route.kind.columns, includeObject, now: clock.now(), definitions };
      definitions = false;
      return JSON.stringify(tableOf([object], { resourceVersion: object.metadata.resourceVersion }, options));
    };
  };
}

function lineOf(type: string, json: string): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${json}}\n`);
}
