import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { conditionPatch, generationJobYaml, templateYaml } from './manifests.ts';
import type { Session } from './session.ts';

/** Tests create, apply, edit, patch, replace, delete, wait, diff, label and annotate. */
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

  test('apply accepts several objects from a file', async () => {
    const kubectl = await session();
    const file = await kubectl.file('many.yaml', [templateYaml('a'), generationJobYaml('b')].join('---\n'));
    expect(await kubectl.ok(`apply -f ${file}`)).toBe(
      'template.trifold.dev/a created\ngenerationjob.trifold.dev/b created\n',
    );
    expect(await kubectl.ok(`get -f ${file} -o name`)).toBe(
      'template.trifold.dev/a\ngenerationjob.trifold.dev/b\n',
    );
    expect(await kubectl.ok(`delete -f ${file}`)).toMatch(/"a" deleted.*\n.*"b" deleted/);
  });

  test('apply rejects an invalid object and names the problem', async () => {
    const kubectl = await session();
    const apply = (spec: object, metadata: object = {}) =>
      kubectl.rejectedWith(templateYaml('bad', spec, metadata), 'apply -f -');
    expect(await apply({ displayName: '' })).toMatch(/is invalid: spec\.displayName: Invalid value/);
    expect(await apply({ state: 'gone' })).toMatch(
      /spec\.state: Unsupported value: "gone": supported values: "active"/,
    );
    expect(await apply({ displayName: undefined })).toMatch(/spec\.displayName: Required value/);
    expect(await apply({ colour: 'red' })).toMatch(/unknown field "spec\.colour"/);
    expect(await apply({ html: undefined })).toContain('exactly one of html, sourceRef must be set');
    expect(await apply({}, { labels: { 'a b': 'c' } })).toContain('metadata.labels');
    expect(await kubectl.ok('get templates -o name')).toBe('');
    expect(
      await kubectl.rejectedWith(
        'kind: Nothing\napiVersion: trifold.dev/v1alpha1\nmetadata: {name: a}\n',
        'apply -f -',
      ),
    ).toContain('no matches for kind "Nothing"');
  });

  test('--validate=warn accepts an unknown field with a warning', async () => {
    const kubectl = await session();
    const { code, stderr } = await kubectl.run('apply --validate=warn -f -', {
      stdin: templateYaml('a', { colour: 'red' }),
    });
    expect(stderr).toContain('Warning: unknown field "spec.colour"');
    expect(code).toBe(0);
  });

  test('apply cannot change a job', async () => {
    const kubectl = await session();
    await kubectl.okWith(generationJobYaml('job'), 'apply -f -');
    expect(
      await kubectl.rejectedWith(generationJobYaml('job', { templateRef: { name: 'other' } }), 'apply -f -'),
    ).toContain('cannot be changed');
  });

  test('create rejects an existing name', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    expect(await kubectl.rejectedWith(templateYaml('a'), 'create -f -')).toContain('AlreadyExists');
  });

  test('edit stores the changes of the editor', async () => {
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

  test('patch supports merge and JSON patches and reports unsupported ones', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    expect(await kubectl.ok('patch tpl a --type=merge -p {"spec":{"displayName":"B"}}')).toBe(
      'template.trifold.dev/a patched\n',
    );
    expect(await kubectl.ok('patch tpl a --type=merge -p {"spec":{"displayName":"B"}}')).toBe(
      'template.trifold.dev/a patched (no change)\n',
    );
    await kubectl.ok('patch tpl a --type=json -p [{"op":"replace","path":"/spec/displayName","value":"C"}]');
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.displayName}')).toBe('C');
    expect(
      await kubectl.rejected(
        'patch tpl a --type=json -p [{"op":"test","path":"/spec/displayName","value":"X"}]',
      ),
    ).not.toBe('');
    expect(await kubectl.rejected('patch tpl a --type=merge -p {"spec":{"displayName":5}}')).toContain(
      'spec.displayName',
    );
    expect(await kubectl.rejected('patch tpl a -p {"spec":{"displayName":"D"}}')).toMatch(
      /UnsupportedMediaType|is not supported/,
    );
    await kubectl.ok('patch tpl a --subresource=status --type=merge -p {"status":{"version":3}}');
    expect(await kubectl.ok('get tpl a --subresource=status -o jsonpath={.status.version}')).toBe('3');
  });

  test('replace replaces the whole object unless it has changed since it was read', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a', { css: 'p{}' }), 'create -f -');
    const old = await kubectl.ok('get tpl a -o yaml');
    expect(await kubectl.okWith(templateYaml('a'), 'replace -f -')).toBe('template.trifold.dev/a replaced\n');
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.css}')).toBe('');
    expect(await kubectl.rejectedWith(old, 'replace -f -')).toContain('Conflict');
    expect(await kubectl.rejectedWith(templateYaml('b'), 'replace -f -')).toContain('NotFound');
    expect(await kubectl.okWith(templateYaml('a', { css: 'b{}' }), 'replace --force -f -')).toContain(
      'replaced',
    );
  });

  test('wait ends when the condition is met', async () => {
    const kubectl = await session();
    await kubectl.okWith([templateYaml('a'), generationJobYaml('job')].join('---\n'), 'create -f -');
    const ready = kubectl.ok('wait --for=condition=Ready --timeout=50s template/a');
    const finished = kubectl.ok('wait --for=jsonpath={.status.phase}=Completed --timeout=50s gj/job');
    const failed = kubectl.rejected('wait --for=condition=Failed --timeout=1s gj/job');
    await kubectl.ok(
      'patch tpl a --subresource=status --type=merge -p',
      conditionPatch('Ready', 'False', 'Waiting'),
    );
    await kubectl.ok(
      'patch tpl a --subresource=status --type=merge -p',
      conditionPatch('Ready', 'True', 'Compiled'),
    );
    await kubectl.ok('patch gj job --subresource=status --type=merge -p {"status":{"phase":"Completed"}}');
    expect(await ready).toBe('template.trifold.dev/a condition met\n');
    expect(await finished).toBe('generationjob.trifold.dev/job condition met\n');
    expect(await failed).toContain('timed out waiting for the condition');
    const deleted = kubectl.ok('wait --for=delete --timeout=50s template/a');
    await kubectl.ok('delete template a');
    await deleted;
  });

  test('delete accepts names, selectors and --all', async () => {
    const kubectl = await session();
    const labelled = (name: string) => templateYaml(name, {}, { labels: { app: 'x' } });
    await kubectl.okWith(
      [labelled('a'), labelled('b'), templateYaml('c'), templateYaml('d'), templateYaml('e')].join('---\n'),
      'create -f -',
    );
    expect(await kubectl.ok('delete tpl -l app=x')).toMatch(/"a" deleted.*\n.*"b" deleted/);
    await kubectl.ok('delete template c');
    expect(await kubectl.rejected('delete template c')).toContain('NotFound');
    await kubectl.ok('delete template c --ignore-not-found');
    await kubectl.ok('delete templates --all');
    expect(await kubectl.ok('get templates -o name')).toBe('');
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

  test('--dry-run validates objects and writes nothing', async () => {
    const kubectl = await session();
    expect(await kubectl.okWith(templateYaml('a'), 'apply --dry-run=server -f -')).toBe(
      'template.trifold.dev/a created (server dry run)\n',
    );
    expect(
      await kubectl.rejectedWith(templateYaml('a', { state: 'gone' }), 'apply --dry-run=server -f -'),
    ).toContain('spec.state');
    expect(await kubectl.okWith(templateYaml('a'), 'create --dry-run=client -f -')).toContain('dry run');
    expect(await kubectl.ok('get templates -o name')).toBe('');
    await kubectl.okWith(templateYaml('a'), 'apply -f -');
    expect(await kubectl.okWith(templateYaml('a', { css: 'p{}' }), 'apply --dry-run=server -f -')).toContain(
      'configured (server dry run)',
    );
    expect(await kubectl.ok('delete tpl a --dry-run=server')).toContain('deleted');
    expect(await kubectl.ok('get tpl a -o jsonpath={.metadata.generation}')).toBe('1');
  });

  test('diff shows the changes that apply would make', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'apply -f -');
    expect(await kubectl.run('diff -f -', { stdin: templateYaml('a') })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const changed = await kubectl.run('diff -f -', { stdin: templateYaml('a', { displayName: 'Letter' }) });
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^-\s+displayName: Invoice$/m);
    expect(changed.stdout).toMatch(/^\+\s+displayName: Letter$/m);
    expect(await kubectl.ok('get tpl a -o jsonpath={.spec.displayName}')).toBe('Invoice');
  });

  test('label and annotate set, overwrite and remove values', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    expect(await kubectl.ok('label tpl a team=x')).toBe('template.trifold.dev/a labeled\n');
    expect(await kubectl.rejected('label tpl a team=y')).toContain("'team' already has a value");
    await kubectl.ok('label tpl a team=y --overwrite');
    await kubectl.ok('annotate tpl --all note=hello');
    expect(
      await kubectl.ok(
        'get tpl a -o jsonpath={.metadata.labels.team}/{.metadata.annotations.note}/{.metadata.generation}',
      ),
    ).toBe('y/hello/1');
    await kubectl.ok('label tpl a team-');
    await kubectl.ok('annotate tpl a note-');
    expect(await kubectl.ok('get tpl a -o jsonpath={.metadata.labels}{.metadata.annotations}')).toBe('');
    expect(await kubectl.rejected('label tpl a team=a_/b')).toContain('team');
  });

  test('create supports secrets and namespaces', async () => {
    const kubectl = await session();
    expect(await kubectl.ok('create secret generic hook --from-literal=secret=s3cret')).toBe(
      'secret/hook created\n',
    );
    expect(await kubectl.ok('get secret hook -o jsonpath={.type}/{.data.secret}')).toBe('Opaque/czNjcmV0');
    expect(await kubectl.ok('get secrets')).toMatch(/^NAME\s+TYPE\s+DATA\s+AGE\nhook\s+Opaque\s+1\s+\d+s/);
    expect(await kubectl.ok('describe secret hook')).toMatch(/secret:\s+6 bytes/);
    await kubectl.ok('delete secret hook');
    const name = `${kubectl.namespace}-more`;
    expect(await kubectl.ok(`create namespace ${name}`)).toBe(`namespace/${name} created\n`);
    await kubectl.ok(`label ns ${name} trifold.dev/account=`);
    expect(await kubectl.ok(`get ns -l trifold.dev/account --field-selector metadata.name=${name}`)).toMatch(
      /Active\s+\d+s/,
    );
    expect(await kubectl.rejectedWith(templateYaml('a'), 'apply -n nowhere -f -')).toContain(
      'namespaces "nowhere" not found',
    );
  });
}
