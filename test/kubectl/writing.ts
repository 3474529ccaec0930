import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { conditionPatch, generationJobYaml, templateYaml } from './manifests.ts';
import type { Session } from './session.ts';

/** Tests apply, edit, wait, delete and diff. test/conformance has the requests that other commands send. */
export function describeWriting(session: () => Promise<Session>): void {
  test('apply creates an object, detects no change, changes a field and removes a field', async () => {
    const kubectl = await session();
    const apply = (spec: object) => kubectl.okWith(templateYaml('invoice', spec), 'apply -f -');
    expect(await apply({ css: 'p{}' })).toBe('template.trifold.dev/invoice created\n');
    expect(await apply({ css: 'p{}' })).toBe('template.trifold.dev/invoice unchanged\n');
    expect(await apply({ css: 'b{}' })).toBe('template.trifold.dev/invoice configured\n');
    await kubectl.ok('patch tpl invoice --type=merge -p {"spec":{"description":"mine"}}');
    expect(await apply({})).toBe('template.trifold.dev/invoice configured\n');
    expect(
      await kubectl.ok('get tpl invoice -o jsonpath={.spec.css}/{.spec.description}/{.metadata.generation}'),
    ).toBe('/mine/4');
  });

  test('edit stores the changes made in the editor', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    const edited = await kubectl.edit('template a', 's/Invoice/Letter/');
    expect(edited).toMatchObject({ code: 0, stdout: 'template.trifold.dev/a edited\n' });
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.displayName}')).toBe('Letter');
    expect((await kubectl.edit('template a', 's/none/none/')).stderr).toContain(
      'Edit cancelled, no changes made',
    );
    const rejected = await kubectl.edit('template a', 's/state:.*/state:\\ gone/');
    expect(rejected.code).not.toBe(0);
    expect(rejected.stderr).toContain('"a" is invalid');
    const copy = /stored to "(.+)"/.exec(rejected.stderr)?.[1];
    expect(await readFile(String(copy), 'utf8')).toContain('* spec.state: ');
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.state}')).toBe('active');
  });

  test('wait ends when the condition is met', async () => {
    const kubectl = await session();
    await kubectl.okWith([templateYaml('a'), generationJobYaml('job')].join('---\n'), 'create -f -');
    const ready = kubectl.ok('wait --for=condition=Ready --timeout=50s template/a');
    const finished = kubectl.ok('wait --for=jsonpath={.status.phase}=Completed --timeout=50s gj/job');
    const failed = kubectl.rejected('wait --for=condition=Failed --timeout=1s gj/job');
    const patch = 'patch tpl a --subresource=status --type=merge -p';
    await kubectl.ok(patch, conditionPatch('Ready', 'False', 'Waiting'));
    await kubectl.ok(patch, conditionPatch('Ready', 'True', 'Compiled'));
    await kubectl.ok('patch gj job --subresource=status --type=merge -p {"status":{"phase":"Completed"}}');
    expect(await ready).toBe('template.trifold.dev/a condition met\n');
    expect(await finished).toBe('generationjob.trifold.dev/job condition met\n');
    expect(await failed).toContain('timed out waiting for the condition');
    const deleted = kubectl.ok('wait --for=delete --timeout=50s template/a');
    await kubectl.ok('delete template a');
    await deleted;
  });

  test('delete waits for finalizers', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a', {}, { finalizers: ['trifold.dev/hold'] }), 'create -f -');
    await kubectl.ok('delete template a --wait=false');
    expect(await kubectl.ok('get tpl a -o jsonpath={.metadata.deletionTimestamp}')).toMatch(/^\d{4}-/);
    const deleting = kubectl.follow('delete template a');
    try {
      await deleting.prints(/"a" deleted/);
      expect(deleting.running).toBe(true);
      await kubectl.ok('patch tpl a --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]');
      expect(await deleting.ended).toMatchObject({ code: 0 });
    } finally {
      await deleting.kill();
    }
    expect(await kubectl.ok('get tpl -o name')).toBe('');
  });

  test('diff shows the changes that apply would make', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'apply -f -');
    const same = await kubectl.run('diff -f -', { stdin: templateYaml('a') });
    expect(same).toEqual({ code: 0, stdout: '', stderr: '' });
    const changed = await kubectl.run('diff -f -', { stdin: templateYaml('a', { displayName: 'Letter' }) });
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^-\s+displayName: Invoice$/m);
    expect(changed.stdout).toMatch(/^\+\s+displayName: Letter$/m);
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.displayName}')).toBe('Invoice');
  });
}
