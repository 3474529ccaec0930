import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { CUSTOM_KINDS } from '@trifold/crds';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import type { Api } from '@trifold/test-support/api.ts';

/** Contains a folder for each recorded version. */
const RECORDINGS = fileURLToPath(new URL('./recorded/', import.meta.url));

export function recordedVersions(): readonly string[] {
  return readdirSync(RECORDINGS).toSorted();
}

/** Files of a recording. */
export function filesOf(version: string) {
  const folder = path.join(RECORDINGS, version);
  return {
    folder,
    /** Data directory of a standalone service that was killed. */
    data: path.join(folder, 'data'),
    facts: path.join(folder, 'facts.json'),
    queue: path.join(folder, 'queue.json'),
  };
}

/** Information that a service must still have about its data. */
export interface Facts {
  /** Time at which the service was killed. */
  readonly recordedAt: string;
  readonly keys: { readonly live: string; readonly test: string };
  readonly template: { readonly id: string; readonly version: number; readonly html: string };
  /** A document that was completed, and the SHA-256 of its file. */
  readonly completed: { readonly id: string; readonly sha256: string };
  readonly failed: { readonly id: string; readonly code: string };
  readonly pending: readonly string[];
  readonly batch: { readonly id: string; readonly completed: number };
  readonly webhookSecret: string;
  /** Number of completed live documents. */
  readonly documents: number;
}

/** Opens the control plane of a data directory whose service is not running. */
export async function openControlPlane(data: string): Promise<EmbeddedControlPlane> {
  return EmbeddedControlPlane.open({
    file: path.join(data, 'control-plane.sqlite'),
    kinds: CUSTOM_KINDS,
    durability: 'process',
    clock: systemClock,
    logger: createLogger({ level: 'silent', name: 'recording' }),
  });
}

/** Returns the number of live PDF files in the usage of this month. */
export async function usageOf(api: Api): Promise<number> {
  const { total } = (await api.get('/v1/usage')).json<Usage>();
  return total.documents.live.pdf;
}

interface Usage {
  readonly total: { readonly documents: { readonly live: { readonly pdf: number } } };
}

/** A Redis key with its type and content. */
export type RedisEntry =
  | { readonly key: string; readonly type: 'string'; readonly content: string }
  | { readonly key: string; readonly type: 'hash'; readonly content: Readonly<Record<string, string>> }
  | { readonly key: string; readonly type: 'list'; readonly content: readonly string[] }
  /** Values, each followed by its score. */
  | { readonly key: string; readonly type: 'zset'; readonly content: readonly string[] };

export interface RecordedQueue {
  readonly prefix: string;
  readonly taskKeys: readonly string[];
  /** IDs of the waiting tasks. */
  readonly waiting: readonly string[];
  readonly entries: readonly RedisEntry[];
}
