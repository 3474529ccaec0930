import { expect, test } from 'vitest';
import { templateYaml } from './manifests.ts';
import type { Session } from './session.ts';

/** Features that a bare kube-apiserver lacks without its controllers, and features that the embedded one leaves out. */
export function describeEmbeddedOnly(session: () => Promise<Session>): void {
  test('delete of a namespace also deletes its objects', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    await kubectl.ok('create secret generic hook --from-literal=secret=s3cret');
    expect(await kubectl.ok(`delete namespace ${kubectl.namespace}`)).toContain('deleted');
    expect(await kubectl.rejected(`get namespace ${kubectl.namespace}`)).toContain('NotFound');
    expect(await kubectl.ok('get templates -o name')).toBe('');
  });

  test('server-side apply fails with a clear error', async () => {
    const kubectl = await session();
    const complaint = await kubectl.rejectedWith(templateYaml('a'), 'apply --server-side -f -');
    expect(complaint).toMatch(/apply-patch|[Ss]erver-side apply/);
    expect(await kubectl.ok('get templates -o name')).toBe('');
  });
}
