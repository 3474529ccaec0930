import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import {
  TemplateRepository,
  type TemplateRepositoryOptions,
} from '@trifold/api-gateway/templates/template-repository.ts';
import { TemplateHistoryReconciler } from '@trifold/controller/templates/template-history-reconciler.ts';
import { aTemplate } from '@trifold/controller/testing/objects.ts';
import type { Template } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { expect, it } from 'vitest';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';

const TRIES = 2_000;
/** Number of concurrent races that share the event loop's turns. */
const TOGETHER = 50;
const random = randomFrom(37);
/** The name is also its uid. */
const template = (name: string, generation: number) =>
  aTemplate({ metadata: { name, uid: name, generation } });

/** Takes as long as a request to another machine: other work runs before and after `work`. */
async function remote<T>(work: () => T): Promise<T> {
  const wait = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await nextTurn();
  };
  await wait();
  const result = work();
  await wait();
  return result;
}

const current = new Map<string, Template>();
function changed(name: string, change: (before: Template) => Template): Template {
  const { metadata, ...after } = change(current.get(name) ?? template(name, 4));
  const resourceVersion = String(Number(metadata.resourceVersion) + 1);
  const written = { ...after, metadata: { ...metadata, resourceVersion } };
  current.set(name, written);
  return written;
}
const write = async ({ metadata }: Template, change: (before: Template) => Template) =>
  remote(() => {
    if (current.get(metadata.name)?.metadata.resourceVersion !== metadata.resourceVersion)
      throw new KubernetesApiError({ code: 409, reason: 'Conflict', message: 'changed' });
    return changed(metadata.name, change);
  });
/** The API server's operations on templates. */
const templates = {
  find: async (_namespace: string | undefined, name: string) => remote(() => current.get(name)),
  replace: async (after: Template) =>
    write(after, (before) => ({ ...before, metadata: { ...after.metadata } })),
  replaceStatus: async ({ metadata, status = {} }: Template) =>
    write({ metadata } as Template, (before) => ({ ...before, status })),
  metadataOnly: () => templates,
};

const objects = new Map<string, Buffer>();
function memoryStore(): ObjectStore {
  const store: Pick<ObjectStore, 'put' | 'read' | 'list' | 'delete'> = {
    put: async (key, body) =>
      remote(() => {
        const created = !objects.has(key);
        if (created) objects.set(key, Buffer.from(body));
        return { created };
      }),
    read: async (key) => remote(() => objects.get(key)),
    delete: async (key) => remote(() => void objects.delete(key)),
    list: async (prefix) =>
      remote(() => {
        const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
        return { objects: keys.map((key) => ({ key, size: 1, lastModified: new Date() })), prefixes: [] };
      }),
  };
  return store as ObjectStore;
}

const store = memoryStore();
const history = new TemplateHistory(store);
const gateway = new TemplateRepository({
  kubernetes: { resource: () => templates },
  store,
  clock: systemClock,
  templateCache: { wrote: () => undefined },
  config: {},
} as unknown as TemplateRepositoryOptions);

/** Two controllers that both believe they are the leader and see each generation late. */
const controllers = [1, 2].map(() => {
  const generations = new Map<string, number>();
  const reconciler = new TemplateHistoryReconciler({
    templates,
    cache: { get: (_namespace, name) => template(name, generations.get(name) ?? 3) },
    store,
    clock: systemClock,
    keptVersions: 3,
  });
  return async (name: string) => {
    for (let generation = 3; generation <= 6; generation += 1) {
      generations.set(name, generation);
      await reconciler
        .reconcile({ namespace: 'acme', name }, new AbortController().signal)
        .catch((error: unknown) => {
          if (!(error instanceof KubernetesApiError && error.code === 409)) throw error;
        });
      if (generation === 5)
        changed(name, ({ metadata, ...before }) => ({
          ...before,
          metadata: { ...metadata, generation: metadata.generation + 1 },
        }));
    }
  };
});

async function publish(name: string, version: number | null): Promise<boolean> {
  try {
    await gateway.publish('acme', name, version);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'version_not_found') return false;
    throw error;
  }
}

/** Publishes the oldest version, which is about to be deleted, sometimes again after another one. */
async function client(name: string): Promise<boolean> {
  const isPublished = await publish(name, 1);
  if (random() < 0.5) return isPublished;
  await publish(name, null);
  return publish(name, 1);
}

async function race(name: string) {
  changed(name, (before) => before);
  const time = new Date();
  for (const generation of [1, 2, 3, 4])
    await history.record({ template: template(name, generation), source: { html: '' } }, time);
  const [isPublished] = await Promise.all([client(name), ...controllers.map((run) => run(name))]);
  return { isPublished, exists: (await history.read('acme', name, 1)) !== undefined };
}

it('a version whose publication was acknowledged exists even if controllers delete old versions', async () => {
  const outcomes = { published: 0, rejected: 0, lost: 0 };
  for (let tries = 0; tries < TRIES; tries += TOGETHER) {
    objects.clear();
    const names = Array.from({ length: TOGETHER }, (_, index) => `race-${tries + index}`);
    for (const { isPublished, exists } of await Promise.all(names.map(race))) {
      outcomes[isPublished ? 'published' : 'rejected'] += 1;
      if (isPublished && !exists) outcomes.lost += 1;
    }
  }
  expect(outcomes).toMatchObject({ lost: 0 });
  // The race is close.
  expect(Math.min(outcomes.published, outcomes.rejected)).toBeGreaterThan(TRIES / 50);
});
