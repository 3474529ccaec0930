import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  GENERATION_JOB,
  TEMPLATE,
  type GenerationJob,
  type OwnerReference,
  type Template,
} from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { WAIT } from '@trifold/platform/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobDraft, openTestPlane, templateDraft, type TestPlane } from './testing/plane.ts';

describe('the owner collection', () => {
  let test: TestPlane;
  let templates: ResourceClient<Template>;
  let jobs: ResourceClient<GenerationJob>;

  beforeEach(async () => {
    test = await openTestPlane();
    templates = test.client.resource(TEMPLATE);
    jobs = test.client.resource(GENERATION_JOB);
  });
  afterEach(() => test.plane.close());

  const ownedBy = (...owners: Template[]): { ownerReferences: OwnerReference[] } => ({
    ownerReferences: owners.map(({ apiVersion, kind, metadata: { name, uid } }) => ({
      apiVersion,
      kind,
      name,
      uid,
    })),
  });
  const jobNames = async () => (await jobs.list()).items.map((job) => job.metadata.name);
  const remove = (name: string, propagationPolicy: string) =>
    test.call({ method: 'DELETE', path: templates.path('default', name), query: { propagationPolicy } });

  it('removes dependents, and theirs, after their owner is gone', async () => {
    const owner = await templates.create(templateDraft('owner'));
    const middle = await templates.create(templateDraft('middle', ownedBy(owner)));
    await jobs.create(jobDraft('leaf', ownedBy(middle)));
    await jobs.create(jobDraft('free'));
    await templates.delete('default', 'owner');
    await vi.waitFor(async () => expect(await jobNames()).toEqual(['free']), WAIT);
    expect((await templates.list()).items).toEqual([]);
  });

  it('keeps a dependent as long as one of its owners is there', async () => {
    const [first, second] = [
      await templates.create(templateDraft('x')),
      await templates.create(templateDraft('y')),
    ];
    await jobs.create(jobDraft('leaf', ownedBy(first, second)));
    await templates.delete('default', 'x');
    await vi.waitFor(
      async () =>
        expect((await jobs.get('default', 'leaf')).metadata.ownerReferences).toEqual(
          ownedBy(second).ownerReferences,
        ),
      WAIT,
    );
    await templates.delete('default', 'y');
    await vi.waitFor(async () => expect(await jobNames()).toEqual([]), WAIT);
  });

  it('removes what names an owner that is not there, also one of another uid under the same name', async () => {
    const gone = await templates.create(templateDraft('x'));
    await templates.delete('default', 'x');
    await templates.create(templateDraft('x'));
    await jobs.create(jobDraft('leaf', ownedBy(gone)));
    await vi.waitFor(async () => expect(await jobNames()).toEqual([]), WAIT);
  });

  it('leaves alone what is owned by a kind this server does not have', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '1' };
    await jobs.create(jobDraft('leaf', { ownerReferences: [pod] }));
    const sentinel = await templates.create(templateDraft('x'));
    await jobs.create(jobDraft('other', ownedBy(sentinel)));
    await templates.delete('default', 'x');
    await vi.waitFor(async () => expect(await jobNames()).toEqual(['leaf']), WAIT);
  });

  it('waits for the finalizers of a dependent', async () => {
    const owner = await templates.create(templateDraft('owner'));
    await jobs.create(jobDraft('held', { ...ownedBy(owner), finalizers: ['example.com/hold'] }));
    await templates.delete('default', 'owner');
    await vi.waitFor(
      async () => expect((await jobs.get('default', 'held')).metadata.deletionTimestamp).toBeDefined(),
      WAIT,
    );
    await jobs.patch({ namespace: 'default', name: 'held' }, { metadata: { finalizers: null } });
    expect(await jobNames()).toEqual([]);
  });

  it('with Foreground removes the dependents first, then the owner', async () => {
    const owner = await templates.create(templateDraft('owner'));
    await jobs.create(jobDraft('held', { ...ownedBy(owner), finalizers: ['example.com/hold'] }));
    expect((await remove('owner', 'Foreground')).body).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion'] },
    });
    await vi.waitFor(
      async () => expect((await jobs.get('default', 'held')).metadata.deletionTimestamp).toBeDefined(),
      WAIT,
    );
    expect(await templates.find('default', 'owner')).toBeDefined();
    await jobs.patch({ namespace: 'default', name: 'held' }, { metadata: { finalizers: null } });
    await vi.waitFor(async () => expect(await templates.find('default', 'owner')).toBeUndefined(), WAIT);
  });

  it('with Orphan cuts the dependents loose', async () => {
    const owner = await templates.create(templateDraft('owner'));
    await jobs.create(jobDraft('leaf', ownedBy(owner)));
    await remove('owner', 'Orphan');
    await vi.waitFor(async () => expect(await templates.find('default', 'owner')).toBeUndefined(), WAIT);
    expect((await jobs.get('default', 'leaf')).metadata.ownerReferences).toBeUndefined();
  });

  it('finishes after a restart what was interrupted', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'trifold-owners-'));
    const file = path.join(directory, 'plane.db');
    const before = await openTestPlane(file);
    const owner = await before.client.resource(TEMPLATE).create(templateDraft('owner'));
    await before.client.resource(GENERATION_JOB).create(jobDraft('leaf', ownedBy(owner)));
    await before.client.resource(TEMPLATE).delete('default', 'owner');
    // Closes in the same turn of the event loop, before the collection starts.
    await before.plane.close();
    const after = await openTestPlane(file);
    await vi.waitFor(
      async () => expect((await after.client.resource(GENERATION_JOB).list()).items).toEqual([]),
      WAIT,
    );
    await after.plane.close();
    rmSync(directory, { recursive: true });
  });
});
