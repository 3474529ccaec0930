import path from 'node:path';
import { GENERATION_JOB, TEMPLATE } from '@trifold/crds';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jobDraft, NAMESPACES, openTestPlane, templateDraft, type TestPlane } from './testing/plane.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

let test: TestPlane;

beforeEach(async () => {
  test = await openTestPlane();
  await test.client.builtin(NAMESPACES).create({ metadata: { name: 'acme' } });
});
afterEach(() => test.plane.close());

const namespaces = (plane = test) => plane.client.builtin(NAMESPACES);
const names = async (plane = test) =>
  (await namespaces(plane).list()).items.map(({ metadata }) => metadata.name);
const templates = () => test.client.resource(TEMPLATE);

it('starts with the namespace default, which cannot be deleted', async () => {
  expect(await names()).toEqual(['acme', 'default']);
  const forbidden = { code: 403, reason: 'Forbidden' };
  await expect(namespaces().delete(undefined, 'default')).rejects.toMatchObject(forbidden);
});

it('deletes a namespace with all of its objects and nothing else', async () => {
  for (let index = 0; index < 120; index += 1)
    await templates().create(templateDraft(`a-${index}`, { namespace: 'acme' }));
  await test.client.resource(GENERATION_JOB).create(jobDraft('j', { namespace: 'acme' }));
  await templates().create(templateDraft('stays'));
  await namespaces().delete(undefined, 'acme');
  await eventually(async () => expect(await names()).toEqual(['default']));
  expect((await templates().list()).items.map(({ metadata }) => metadata.name)).toEqual(['stays']);
  expect((await test.client.resource(GENERATION_JOB).list()).items).toEqual([]);
});

it("does not accept new objects in a terminating namespace and waits for its objects' finalizers", async () => {
  const held = { namespace: 'acme', finalizers: ['example.com/hold'] };
  for (let index = 0; index < 60; index += 1)
    await templates().create(templateDraft(`held-${String(index).padStart(2, '0')}`, held));
  await templates().create(templateDraft('z-free', { namespace: 'acme' }));
  await namespaces().delete(undefined, 'acme');
  await eventually(async () => expect(await templates().find('acme', 'z-free')).toBeUndefined());
  await expect(templates().create(templateDraft('new', { namespace: 'acme' }))).rejects.toMatchObject({
    code: 403,
    details: { causes: [{ reason: 'NamespaceTerminating' }] },
  });
  expect(await namespaces().get(undefined, 'acme')).toMatchObject({ status: { phase: 'Terminating' } });
  for (const { metadata } of (await templates().list({ namespace: 'acme' })).items)
    await templates().patch({ namespace: 'acme', name: metadata.name }, { metadata: { finalizers: null } });
  await eventually(async () => expect(await names()).toEqual(['default']));
});

it('finishes an interrupted deletion after a restart', async () => {
  const directory = testDirectory();
  const file = path.join(directory, 'plane.db');
  const before = await openTestPlane(file);
  await namespaces(before).create({ metadata: { name: 'acme' } });
  await before.client.resource(TEMPLATE).create(templateDraft('a', { namespace: 'acme' }));
  await namespaces(before).delete(undefined, 'acme');
  await before.plane.close();
  const after = await openTestPlane(file);
  await eventually(async () => expect(await names(after)).toEqual(['default']));
  await after.plane.close();
});
