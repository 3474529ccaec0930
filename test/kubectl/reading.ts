import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  apiKeyYaml,
  batchYaml,
  conditionPatch,
  eventYaml,
  generationJobYaml,
  templateYaml,
} from './manifests.ts';
import { columnsOf, type Session } from './session.ts';

/** Tests get, describe, explain and events. test/conformance has the requests that other commands send. */
export function describeReading(session: () => Promise<Session>): void {
  test('get shows the columns of the kind, and additional ones with -o wide', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('invoice'), 'apply -f -');
    await kubectl.ok(
      'patch template invoice --subresource=status --type=merge -p',
      conditionPatch('Ready', 'False', 'DoesNotCompile', 'line-3'),
    );
    const [head, row] = columnsOf(await kubectl.ok('get templates'));
    const columns = ['NAME', 'DISPLAY NAME', 'STATE', 'VERSION', 'READY', 'REASON', 'AGE'];
    const cells = ['invoice', 'Invoice', 'active', '1', 'False', 'DoesNotCompile'];
    expect(head).toEqual(columns);
    expect(row).toEqual([...cells, expect.stringMatching(/^\d+s$/)]);
    const [wideHead, wideRow] = columnsOf(await kubectl.ok('get templates -o wide'));
    expect(wideHead).toEqual([...columns, 'MESSAGE']);
    expect(wideRow).toEqual([...cells, expect.anything(), 'line-3']);
  });

  test('get finds kinds by short name, singular name and category', async () => {
    const kubectl = await session();
    const all = [templateYaml('a'), generationJobYaml('b'), apiKeyYaml('c'), batchYaml('d')].join('---\n');
    await kubectl.okWith(all, 'apply -f -');
    expect(await kubectl.ok('get tpl -o name')).toBe('template.trifold.dev/a\n');
    expect(await kubectl.ok('get gj b -o name')).toBe('generationjob.trifold.dev/b\n');
    expect(await kubectl.ok('get ak/c -o name')).toBe('apikey.trifold.dev/c\n');
    expect(await kubectl.ok('get bat -o name')).toBe('batch.trifold.dev/d\n');
    expect(await kubectl.ok('get batch/d -o name')).toBe('batch.trifold.dev/d\n');
    expect(await kubectl.ok('get templates.trifold.dev -o name')).toBe('template.trifold.dev/a\n');
    expect((await kubectl.ok('get trifold -o name')).trim().split('\n').sort()).toEqual([
      'apikey.trifold.dev/c',
      'batch.trifold.dev/d',
      'generationjob.trifold.dev/b',
      'template.trifold.dev/a',
    ]);
    const tables = await kubectl.ok('get trifold');
    for (const shown of ['template.trifold.dev/a', 'generationjob.trifold.dev/b', 'ENDS WITH', 'PHASE']) {
      expect(tables).toContain(shown);
    }
  });

  test('explain shows the fields and their descriptions', async () => {
    const kubectl = await session();
    const kind = await kubectl.ok('explain template');
    expect(kind).toMatch(/GROUP:\s+trifold\.dev\nKIND:\s+Template\nVERSION:\s+v1alpha1/);
    expect(kind).toContain('An HTML template with data bindings.');
    const state = await kubectl.ok('explain tpl.spec.state');
    expect(state).toContain('FIELD: state <string>');
    expect(state).toContain('archived templates do not');
    // kubectl has listed the values of an enum since 1.30.
    if (state.includes('ENUM')) expect(state).toMatch(/ENUM:\s+active\s+draft\s+archived/);
    const key = await kubectl.ok('explain apikey.spec');
    expect(key).toContain('Last four characters of the key');
    expect(key).not.toContain('<no description>');
    const recursive = await kubectl.ok('explain generationjob --recursive');
    for (const line of ['templateRef\t<Object>', 'printBackground\t<boolean>', 'conditions\t<[]Object>']) {
      expect(recursive).toContain(line);
    }
    expect(await kubectl.ok('explain template.metadata.labels')).toContain(
      'FIELD: labels <map[string]string>',
    );
    expect(await kubectl.rejected('explain template.spec.nothing')).toContain(
      'field "nothing" does not exist',
    );
  });

  test('describe shows the spec, status and events of an object', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('invoice'), 'apply -f -');
    await kubectl.okWith(templateYaml('other'), 'apply -f -');
    const uid = await kubectl.ok('get template invoice -o jsonpath={.metadata.uid}');
    await kubectl.okWith(eventYaml(kubectl.namespace, { name: 'invoice', uid }), 'create -f -');
    const described = await kubectl.ok('describe template invoice');
    expect(described).toMatch(/^Name:\s+invoice$/m);
    expect(described).toMatch(/^Kind:\s+Template$/m);
    expect(described).toMatch(/Display Name:\s+Invoice/);
    expect(described).toMatch(/Warning\s+DoesNotCompile\s+.*trifold-controller\s+line 3, column 7/);
    expect(await kubectl.ok('describe template other')).toMatch(/Events:\s+<none>/);
    expect(await kubectl.ok('describe templates')).toMatch(/Name:\s+invoice[\s\S]+Name:\s+other/);
  });

  test('events and get events show the events of an object', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('invoice'), 'apply -f -');
    const uid = await kubectl.ok('get template invoice -o jsonpath={.metadata.uid}');
    await kubectl.okWith(eventYaml(kubectl.namespace, { name: 'invoice', uid }), 'create -f -');
    expect(await kubectl.ok('events --for template/invoice')).toMatch(
      /Warning\s+DoesNotCompile\s+Template\/invoice\s+line 3/,
    );
    expect((await kubectl.run('events --for template/nothing')).stderr).toContain('No events found');
    expect(await kubectl.ok('events --types=Warning')).toContain('DoesNotCompile');
    const [head, row] = columnsOf(await kubectl.ok('get events'));
    expect(head).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    const message = expect.stringContaining('line 3');
    expect(row?.slice(1)).toEqual(['Warning', 'DoesNotCompile', 'template/invoice', message]);
    expect(await kubectl.ok('get events --field-selector involvedObject.name=other')).toBe('');
  });

  test('get --watch prints changes', async () => {
    const kubectl = await session();
    await kubectl.okWith(templateYaml('a'), 'create -f -');
    const watching = kubectl.follow('get templates --watch');
    const typed = kubectl.follow('get tpl --watch-only --output-watch-events');
    try {
      await watching.prints(/^a\s+Invoice/m);
      await kubectl.okWith(templateYaml('b', { displayName: 'Letter' }), 'create -f -');
      await watching.prints(/^b\s+Letter\s+active/m);
      await kubectl.ok('patch tpl b --type=merge -p {"spec":{"state":"archived"}}');
      await watching.prints(/^b\s+Letter\s+archived/m);
      let changes = 0;
      await eventually(async () => {
        changes += 1;
        await kubectl.ok(`patch tpl a --type=merge -p {"spec":{"description":"${changes}"}}`);
        return /^MODIFIED\s+a\s/m.test(typed.stdout);
      });
      await kubectl.ok('delete tpl b');
      await typed.prints(/^DELETED\s+b\s/m);
      expect(watching.stdout.match(/^NAME/gm)).toHaveLength(1);
    } finally {
      await Promise.all([watching.kill(), typed.kill()]);
    }
  });
}
