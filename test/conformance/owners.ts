import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { template } from './cases/requests.ts';
import type { JsonObject } from './case.ts';
import { absolutePath, makeNamespace } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';

/** Tests the collection of objects whose owners are gone. In a cluster a controller does this, not the API server. */
export function describeOwners(target: () => ConformanceTarget): void {
  async function call(
    method: string,
    path: string,
    body?: JsonObject,
  ): Promise<{ metadata: { uid: string } }> {
    const headers = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    };
    const request = { method, path, ...(body && { headers, body: JSON.stringify(body) }) };
    return (await target().client.json(request)) as { metadata: { uid: string } };
  }

  async function exists(path: string): Promise<boolean> {
    return (await target().client.text({ method: 'GET', path })).status === 200;
  }

  function ownedBy(...owners: { name: string; uid: string }[]): JsonObject {
    const identity = { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template' };
    return { ownerReferences: owners.map((owner) => ({ ...identity, ...owner })) };
  }

  async function family() {
    const namespace = await makeNamespace(target());
    const path = (rest: string) => absolutePath(rest, namespace);
    const create = async (name: string, metadata: JsonObject = {}) => {
      const made = await call('POST', path('templates'), template(name, {}, metadata));
      return { name, uid: made.metadata.uid };
    };
    return { path, create };
  }

  test('deleting an object deletes its dependents recursively and across kinds', async () => {
    const { path, create } = await family();
    const owner = await create('owner');
    const child = await create('child', ownedBy(owner));
    await create('grandchild', ownedBy(child));
    await create('stranger');
    await call('POST', path('core:secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'owned', ...ownedBy(owner) },
    });
    await call('DELETE', path('templates/owner'));
    for (const gone of ['templates/child', 'templates/grandchild', 'core:secrets/owned']) {
      await eventually(async () => !(await exists(path(gone))));
    }
    expect(await exists(path('templates/stranger'))).toBe(true);
  });

  test('a dependent with two owners stays until both are gone', async () => {
    const { path, create } = await family();
    const [first, second] = [await create('first'), await create('second')];
    await create('shared', ownedBy(first, second));
    const only = await create('only', ownedBy(first));
    expect(only.name).toBe('only');
    await call('DELETE', path('templates/first'));
    await eventually(async () => !(await exists(path('templates/only'))));
    expect(await exists(path('templates/shared'))).toBe(true);
    await call('DELETE', path('templates/second'));
    await eventually(async () => !(await exists(path('templates/shared'))));
  });

  test('an owner with the same name and another uid is another object', async () => {
    const { path, create } = await family();
    const before = await create('owner');
    await create('child', ownedBy(before));
    await call('DELETE', path('templates/owner'));
    await create('owner');
    await eventually(async () => !(await exists(path('templates/child'))));
    expect(await exists(path('templates/owner'))).toBe(true);
  });

  test('an owner that waits for a finalizer keeps its dependents', async () => {
    const { path, create } = await family();
    const owner = await create('owner', { finalizers: ['trifold.dev/hold'] });
    await create('child', ownedBy(owner));
    const other = await create('other');
    await create('marker', ownedBy(other));
    await call('DELETE', path('templates/owner'));
    await call('DELETE', path('templates/other'));
    await eventually(async () => !(await exists(path('templates/marker'))));
    expect(await exists(path('templates/child'))).toBe(true);
    await call('PATCH', path('templates/owner'), { metadata: { finalizers: null } });
    await eventually(async () => !(await exists(path('templates/child'))));
  });

  test('a dependent with a finalizer is marked as deleted and waits', async () => {
    const { path, create } = await family();
    const owner = await create('owner');
    await create('child', { ...ownedBy(owner), finalizers: ['trifold.dev/hold'] });
    await call('DELETE', path('templates/owner'));
    await eventually(async () => {
      const child = await call('GET', path('templates/child'));
      return 'deletionTimestamp' in child.metadata;
    });
    await call('PATCH', path('templates/child'), { metadata: { finalizers: null } });
    expect(await exists(path('templates/child'))).toBe(false);
  });
}
