import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationJobYaml, templateYaml } from '../kubectl/manifests.ts';
import { columnsOf } from '../kubectl/session.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf, textOf } from '../support/files/pdf.ts';
import { Installation } from './installation.ts';
import { ACCOUNT } from './release.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);

/** Columns of `kubectl get` for each kind. Every kind must be listed, so that somebody decides on its columns. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  apikeys: ['NAME', 'NAME', 'MODE', 'ENDS WITH', 'LAST USED', 'AGE'],
  batches: ['NAME', 'TEMPLATE', 'PHASE', 'TOTAL', 'COMPLETED', 'FAILED', 'AGE'],
  generationjobs: ['NAME', 'TEMPLATE', 'PHASE', 'PAGES', 'SIZE', 'RENDER MS', 'ERROR', 'AGE'],
  templates: ['NAME', 'DISPLAY NAME', 'STATE', 'VERSION', 'READY', 'REASON', 'AGE'],
  webhookdeliveries: [
    'NAME',
    'EVENT',
    'ENDPOINT',
    'PHASE',
    'ATTEMPTS',
    'STATUS',
    'ERROR',
    'NEXT ATTEMPT',
    'AGE',
  ],
  webhookendpoints: ['NAME', 'URL', 'READY', 'REASON', 'PENDING', 'SPOOLED', 'LAST', 'FAILING', 'AGE'],
  usagereports: ['NAME', 'LIVE', 'TEST', 'FAILED', 'PAGES', 'BATCHES', 'EMAILS', 'COUNTED'],
};

const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const inGroup = (kind: string, name: string, spec: object) => ({
  apiVersion: 'trifold.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});
/** Objects of kinds that may have none in the account. No server exists at these addresses. */
const OF_OTHER_KINDS = [
  inGroup('Batch', 'columns', {
    templateRef: { name: 'columns' },
    revision: '0'.repeat(64),
    version: 1,
    itemsRef: { prefix: 'nowhere/', size: 0 },
    total: 1,
  }),
  inGroup('UsageReport', yesterday, { day: yesterday }),
  inGroup('WebhookEndpoint', 'columns', {
    url: 'https://receiver.invalid/',
    sealedSecret: { keyId: '0123456789abcdef', ciphertext: 'AAAA' },
    events: ['batch.failed'],
  }),
  inGroup('WebhookDelivery', 'columns', {
    event: { id: 'evt-columns', type: 'webhook.test', createdAt: '2026-11-21T12:00:00Z', payload: '{}' },
    url: 'https://receiver.invalid/',
    once: true,
  }),
];

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.connect();
});
afterAll(() => installation?.close());

const accounts = (...args: string[]) => installation.accounts(...args);
const apply = (yaml: string) =>
  installation.kubectl.ok(['apply', '--namespace', ACCOUNT, '--filename', '-'], { stdin: yaml });
const rejected = (yaml: string) =>
  installation.kubectl.rejected(['apply', '--namespace', ACCOUNT, '--filename', '-'], { stdin: yaml });
const becomes = (what: string, condition: string) =>
  accounts('wait', what, `--for=condition=${condition}`, '--timeout=60s');
/** Returns the column headers and the cells of the row with that name. */
const rowOf = async (kind: string, name: string) => {
  const [head, ...rows] = columnsOf(await accounts('get', kind));
  const row = rows.find(([first]) => first === name) ?? [];
  return { head, row };
};

describe('kubectl', () => {
  it('shows columns for every kind', async () => {
    const listed = ['api-resources', '--api-group=trifold.dev', '--no-headers', '--output=name'];
    const kinds = (await installation.kubectl.ok(listed)).trim().split('\n');
    expect(kinds.sort()).toEqual(
      Object.keys(COLUMNS)
        .sort()
        .map((plural) => `${plural}.trifold.dev`),
    );
    await apply(templateYaml('columns', { displayName: 'Columns' }));
    await becomes('template/columns', 'Ready');
    await apply(generationJobYaml('columns', { templateRef: { name: 'columns' } }));
    await becomes('generationjob/columns', 'Complete');
    // kubectl prints no headers without objects.
    for (const object of OF_OTHER_KINDS) await apply(JSON.stringify(object));
    for (const [plural, columns] of Object.entries(COLUMNS)) {
      const [head] = columnsOf(await accounts('get', plural));
      expect(head, plural).toEqual(columns);
    }
    for (const { kind, metadata } of OF_OTHER_KINDS) await accounts('delete', kind, metadata.name);
    const anyAge = expect.stringMatching(/^\d+[smh]/);
    const number = expect.stringMatching(/^\d/);
    const { row: template } = await rowOf('templates', 'columns');
    expect(template).toEqual([
      'columns',
      'Columns',
      'active',
      '1',
      'True',
      expect.stringMatching(/^[A-Z]/),
      anyAge,
    ]);
    const { row: job } = await rowOf('generationjobs', 'columns');
    // The error column is empty.
    expect(job).toEqual(['columns', 'columns', 'Completed', '1', number, number, anyAge]);
    const [, key] = columnsOf(await accounts('get', 'apikeys'));
    expect(key).toEqual(expect.arrayContaining(['First key', 'live', installation.live.key?.slice(-4)]));
  });

  it('waits for an applied GenerationJob, whose file /v1 serves', async () => {
    await apply(templateYaml('waited-for', { html: '<p>Made by kubectl for {{name}}</p>' }));
    const spec = { templateRef: { name: 'waited-for' }, data: { name: 'Ada' } };
    await apply(generationJobYaml('waited-for', spec));
    expect(await becomes('generationjob/waited-for', 'Complete')).toContain('condition met');
    const file = await installation.live.get('/v1/generate/waited-for/download');
    expect(file.status, file.text.slice(0, 300)).toBe(200);
    expect(await textOf(file.bytes)).toBe('Made by kubectl for Ada');
  });

  it('shows why a GenerationJob failed', async () => {
    await apply(generationJobYaml('nothing-to-print', { templateRef: { name: 'nowhere' } }));
    await becomes('generationjob/nothing-to-print', 'Failed');
    const { row } = await rowOf('generationjobs', 'nothing-to-print');
    expect(row).toEqual(expect.arrayContaining(['nowhere', 'Failed', expect.stringMatching(/^[a-z_]+$/)]));
  });

  it('applies the examples folder, and /v1 renders the template', async () => {
    await installation.kubectl.ok(['apply', '--namespace', ACCOUNT, '--filename', 'examples/']);
    await becomes('template/invoice', 'Ready');
    const text = await readFile(new URL('invoice/data.json', EXAMPLES), 'utf8');
    const data = JSON.parse(text) as Record<string, unknown>;
    const pages = await eventually(async () => readPdf(await installation.live.document('invoice', data)));
    expect(pages).toHaveLength(2);
    expect((await installation.live.get('/v1/templates/invoice')).json()).toMatchObject({ name: 'Invoice' });
  });

  it('reports the errors that the definition finds in a template', async () => {
    expect(await rejected(templateYaml('bad', { state: 'gone' }))).toMatch(
      /spec\.state: Unsupported value: "gone"/,
    );
    expect(await rejected(templateYaml('bad', { displayName: undefined }))).toContain(
      'spec.displayName: Required',
    );
    // A CEL rule.
    expect(await rejected(templateYaml('bad', { html: undefined }))).toContain(
      'exactly one of html, sourceRef must be set',
    );
    expect(await accounts('get', 'template', 'bad', '--ignore-not-found')).toBe('');
  });

  it('cannot change a job', async () => {
    await apply(generationJobYaml('settled', { templateRef: { name: 'nowhere' } }));
    const changed = generationJobYaml('settled', { templateRef: { name: 'elsewhere' } });
    expect(await rejected(changed)).toContain('cannot be changed');
  });
});
