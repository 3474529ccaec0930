import path from 'node:path';
import {
  GENERATION_JOB,
  TEMPLATE,
  type GenerationJob,
  type OwnerReference,
  type Template,
} from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RevisionTable } from './store/revision-table.ts';
import { jobDraft, openTestPlane, templateDraft, type TestPlane } from './testing/plane.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

let test: TestPlane;
let templates: ResourceClient<Template>;
let jobs: ResourceClient<GenerationJob>;

beforeEach(async () => {
  test = await openTestPlane();
  templates = test.client.resource(TEMPLATE);
  jobs = test.client.resource(GENERATION_JOB);
});
afterEach(() => test.plane.close());

const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: Template) =>
  ({ apiVersion, kind, name, uid }) satisfies OwnerReference;
const ownedBy = (...owners: Template[]) => ({ ownerReferences: owners.map(referenceTo) });
const ownersOf = async (job: string) => (await jobs.get('default', job)).metadata.ownerReferences;
const isDeleting = async (job: string) =>
  eventually(async () => (await jobs.get('default', job)).metadata.deletionTimestamp !== undefined);
const jobNames = async () => (await jobs.list()).items.map((job) => job.metadata.name);

it('deletes the dependents of a deleted owner, and their dependents', async () => {
  const owner = await templates.create(templateDraft('owner'));
  const middle = await templates.create(templateDraft('middle', ownedBy(owner)));
  await jobs.create(jobDraft('leaf', ownedBy(middle)));
  await jobs.create(jobDraft('free'));
  await templates.delete('default', 'owner');
  await eventually(async () => expect(await jobNames()).toEqual(['free']));
  expect((await templates.list()).items).toEqual([]);
});

it('keeps a dependent while one of its owners exists', async () => {
  const first = await templates.create(templateDraft('x'));
  const second = await templates.create(templateDraft('y'));
  await jobs.create(jobDraft('leaf', ownedBy(first, second)));
  await templates.delete('default', 'x');
  await eventually(async () => expect(await ownersOf('leaf')).toEqual([referenceTo(second)]));
  await templates.delete('default', 'y');
  await eventually(async () => expect(await jobNames()).toEqual([]));
});

it('deletes an object whose owner does not exist or has a different uid', async () => {
  const gone = await templates.create(templateDraft('x'));
  await templates.delete('default', 'x');
  await templates.create(templateDraft('x'));
  await jobs.create(jobDraft('leaf', ownedBy(gone)));
  await eventually(async () => expect(await jobNames()).toEqual([]));
});

it("ignores objects whose owner's kind is not served", async () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '1' };
  await jobs.create(jobDraft('leaf', { ownerReferences: [pod] }));
  const sentinel = await templates.create(templateDraft('x'));
  await jobs.create(jobDraft('other', ownedBy(sentinel)));
  await templates.delete('default', 'x');
  await eventually(async () => expect(await jobNames()).toEqual(['leaf']));
});

it("waits for a dependent's finalizers", async () => {
  const owner = await templates.create(templateDraft('owner'));
  await jobs.create(jobDraft('held', { ...ownedBy(owner), finalizers: ['example.com/hold'] }));
  await templates.delete('default', 'owner');
  await isDeleting('held');
  await jobs.patch({ namespace: 'default', name: 'held' }, { metadata: { finalizers: null } });
  expect(await jobNames()).toEqual([]);
});

it('keeps the dependents of an owner that is waiting for its finalizers', async () => {
  const owner = await templates.create(templateDraft('owner', { finalizers: ['example.com/hold'] }));
  const other = await templates.create(templateDraft('other'));
  await jobs.create(jobDraft('leaf', ownedBy(owner)));
  await jobs.create(jobDraft('marker', ownedBy(other)));
  await templates.delete('default', 'owner');
  await templates.delete('default', 'other');
  await eventually(async () => expect(await jobNames()).toEqual(['leaf']));
  await templates.patch({ namespace: 'default', name: 'owner' }, { metadata: { finalizers: null } });
  await eventually(async () => expect(await jobNames()).toEqual([]));
});

const deleteWith = (propagationPolicy: string, name = 'owner') =>
  test.call({ method: 'DELETE', path: templates.path('default', name), query: { propagationPolicy } });

it('with the policy Foreground, deletes dependents and their dependents before the owner', async () => {
  const owner = await templates.create(templateDraft('owner'));
  const middle = await templates.create(templateDraft('middle', ownedBy(owner)));
  await jobs.create(jobDraft('held', { ...ownedBy(middle), finalizers: ['example.com/hold'] }));
  expect((await deleteWith('Foreground')).status).toBe(200);
  await isDeleting('held');
  for (const name of ['owner', 'middle']) {
    const { finalizers, deletionTimestamp } = (await templates.get('default', name)).metadata;
    expect([finalizers, deletionTimestamp]).toEqual([['foregroundDeletion'], expect.any(String)]);
  }
  await jobs.patch({ namespace: 'default', name: 'held' }, { metadata: { finalizers: null } });
  await eventually(async () => expect((await templates.list()).items).toEqual([]));
});

it('with the policy Orphan, removes only the reference from dependents', async () => {
  const owner = await templates.create(templateDraft('owner'));
  const other = await templates.create(templateDraft('x'));
  await jobs.create(jobDraft('only', ownedBy(owner)));
  await jobs.create(jobDraft('both', ownedBy(owner, other)));
  await deleteWith('Orphan');
  await eventually(async () => expect(await templates.find('default', 'owner')).toBeUndefined());
  expect(await ownersOf('only')).toBeUndefined();
  expect(await ownersOf('both')).toEqual([referenceTo(other)]);
});

it.each(['Foreground', 'Orphan'])(
  'deletes an object without dependents with the policy %s',
  async (policy) => {
    await templates.create(templateDraft('owner'));
    await deleteWith(policy);
    await eventually(async () => expect((await templates.list()).items).toEqual([]));
  },
);

it('deletes the owner when a background deletion follows a foreground deletion', async () => {
  const owner = await templates.create(templateDraft('owner'));
  await jobs.create(jobDraft('held', { ...ownedBy(owner), finalizers: ['example.com/hold'] }));
  await deleteWith('Foreground');
  await deleteWith('Background');
  expect((await templates.list()).items).toEqual([]);
});

it('finishes an interrupted collection after a restart', async () => {
  const directory = testDirectory();
  const file = path.join(directory, 'plane.db');
  const before = await openTestPlane(file);
  const owner = await before.client.resource(TEMPLATE).create(templateDraft('owner'));
  await before.client.resource(GENERATION_JOB).create(jobDraft('leaf', ownedBy(owner)));
  await before.client.resource(TEMPLATE).delete('default', 'owner');
  // Closes in the same turn of the event loop, before collection starts.
  await before.plane.close();
  const after = await openTestPlane(file);
  const left = after.client.resource(GENERATION_JOB);
  await eventually(async () => expect((await left.list()).items).toEqual([]));
  await after.plane.close();
});

it('serves requests when it cannot read the dependents', async () => {
  const owned = vi.spyOn(RevisionTable.prototype, 'owned');
  owned.mockReturnValueOnce([{ key: 'x', id: 1, bytes: 0 }]).mockImplementationOnce(() => {
    throw new Error('disk I/O error');
  });
  const { client, plane } = await openTestPlane();
  await eventually(async () => owned.mock.calls.length === 2);
  await client.resource(TEMPLATE).create(templateDraft('owner'));
  await plane.close();
  owned.mockRestore();
});
