import { CUSTOM_KINDS, GENERATION_JOB, TEMPLATE, type Draft, type Template } from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedControlPlane } from './control-plane.ts';
import { WatchReader } from './testing/watch-reader.ts';

const draft = (name: string, spec: object = {}): Draft<Template> => ({
  metadata: { name, namespace: 'default' },
  spec: { displayName: 'A template', html: '<p>{{x}}</p>', ...spec },
});

describe('Embedded control plane (in-process transport)', () => {
  const clock = new FakeClock();
  let plane: EmbeddedControlPlane;
  let client: KubernetesClient;

  beforeEach(async () => {
    plane = await EmbeddedControlPlane.open({
      file: ':memory:',
      kinds: CUSTOM_KINDS,
      clock,
      logger: createLogger({ level: 'silent', name: 'control-plane' }),
    });
    client = new KubernetesClient(plane.transport);
  });
  afterEach(() => plane.close());

  it('returns a created object with defaults and server-set metadata, and reads back the same object', async () => {
    const templates = client.resource(TEMPLATE);
    const created = await templates.create(draft('a'));
    expect(created).toMatchObject({
      apiVersion: 'trifold.dev/v1alpha1',
      kind: 'Template',
      metadata: { name: 'a', namespace: 'default', generation: 1, creationTimestamp: '2026-11-21T12:00:00Z' },
      spec: { displayName: 'A template', state: 'active' },
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await templates.get('default', 'a')).toEqual(created);
  });

  it('raises the generation for spec changes only, and keeps spec and status apart', async () => {
    const templates = client.resource(TEMPLATE);
    await templates.create(draft('a'));
    const status = await templates.patchStatus(
      { namespace: 'default', name: 'a' },
      { status: { version: 1 }, spec: { displayName: 'ignored' }, metadata: { labels: { ignored: 'yes' } } },
    );
    expect(status.metadata.generation).toBe(1);
    expect(status.metadata.labels).toBeUndefined();
    expect(status.spec.displayName).toBe('A template');
    const spec = await templates.patch(
      { namespace: 'default', name: 'a' },
      { spec: { displayName: 'New' }, status: { version: 9 } },
    );
    expect(spec).toMatchObject({
      metadata: { generation: 2 },
      spec: { displayName: 'New' },
      status: { version: 1 },
    });
    const labelled = await templates.patch(
      { namespace: 'default', name: 'a' },
      { metadata: { labels: { a: 'b' } } },
    );
    expect(labelled.metadata.generation).toBe(2);
  });

  it('writes nothing when an update changes nothing', async () => {
    const templates = client.resource(TEMPLATE);
    const created = await templates.create(draft('a'));
    const same = await templates.patch(
      { namespace: 'default', name: 'a' },
      { spec: { html: '<p>{{x}}</p>' } },
    );
    expect(same.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });

  it('accepts one of two writers with the same resourceVersion', async () => {
    const templates = client.resource(TEMPLATE);
    const created = await templates.create(draft('a'));
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, writer) =>
        templates.replace({ ...created, spec: { ...created.spec, displayName: `writer ${writer}` } }),
      ),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(isApiError(result.reason, 'Conflict')).toBe(true);
    }
  });

  it('streams later writes in order and without gaps to a watcher', async () => {
    const jobs = client.resource(GENERATION_JOB);
    const list = await jobs.list({ namespace: 'default' });
    const watch = new WatchReader(
      await jobs.watch(
        { namespace: 'default' },
        { resourceVersion: list.resourceVersion },
        new AbortController().signal,
      ),
    );
    const names = Array.from({ length: 500 }, (_, index) => `job-${index}`);
    await Promise.all(
      names.map((name) =>
        jobs.create({
          metadata: { name, namespace: 'default' },
          spec: { templateRef: { name: 't' }, data: {} },
        }),
      ),
    );
    const events = await watch.take(500);
    expect(events.map((event) => event.object.metadata.name)).toEqual(names);
    expect(new Set(events.map((event) => event.type))).toEqual(new Set(['ADDED']));
    await watch.close();
  });

  it('rejects an invalid object with 422 and one cause per problem', async () => {
    const rejected = client.resource(TEMPLATE).create(draft('a', { displayName: '', state: 'odd', css: 5 }));
    await expect(rejected).rejects.toMatchObject({ code: 422, reason: 'Invalid' });
    const error = await rejected.catch((caught: unknown) => caught);
    expect(
      isApiError(error, 'Invalid') && error.details?.causes?.map(({ field, reason }) => [field, reason]),
    ).toEqual([
      ['spec.displayName', 'FieldValueInvalid'],
      ['spec.state', 'FieldValueNotSupported'],
      ['spec.css', 'FieldValueTypeInvalid'],
      ['<nil>', 'FieldValueInvalid'],
    ]);
  });

  it('keeps the event loop free while an in-process caller sends requests without a pause', async () => {
    const templates = client.resource(TEMPLATE);
    await templates.create(draft('a'));
    let turns = 0;
    let counting = true;
    const count = () => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    for (let call = 0; call < 320; call += 1) await templates.get('default', 'a');
    counting = false;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('rejects requests like an unreachable server after close, and can be closed twice', async () => {
    await plane.close();
    await plane.close();
    await expect(client.resource(TEMPLATE).get('default', 'a')).rejects.toMatchObject({
      code: 0,
      reason: 'Unreachable',
    });
  });
});
