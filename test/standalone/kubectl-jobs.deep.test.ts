import { readFile } from 'node:fs/promises';
import { GENERATION_JOB, TEMPLATE, type GenerationJobSpec, type Template } from '@trifold/crds';
import { isConditionTrue } from '@trifold/controller/testing/conditions.ts';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import { readPdf, textOf } from '../support/files/pdf.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);

let service: ServiceProcess;

beforeAll(async () => {
  service = await new ServiceProcess({ data: await temporaryDirectory(), keys: inventKeys() }).ready();
});
afterAll(async () => {
  await service.stop();
  await removeDirectory(service.data);
});

const jobs = () => service.kubernetes.resource(GENERATION_JOB);
const finished = (name: string) =>
  eventually(async () => {
    const job = await jobs().get('default', name);
    const isOver = (type: string) => isConditionTrue(job.status?.conditions, type);
    return (isOver('Complete') || isOver('Failed')) && job;
  });

const job = (name: string, spec: GenerationJobSpec) =>
  jobs().create({ metadata: { name, namespace: 'default' }, spec });

describe('Objects applied with kubectl', () => {
  it('a template becomes Ready and is usable through /v1 by its name', async () => {
    const manifest = parse(await readFile(new URL('invoice.yaml', EXAMPLES), 'utf8')) as Template;
    const templates = service.kubernetes.resource(TEMPLATE);
    await templates.create({ ...manifest, metadata: { ...manifest.metadata, namespace: 'default' } });
    const template = await eventually(async () => {
      const read = await templates.get('default', 'invoice');
      return isConditionTrue(read.status?.conditions, 'Ready') && read;
    });
    expect(template.metadata.generation).toBe(1);

    const data = JSON.parse(await readFile(new URL('invoice/data.json', EXAMPLES), 'utf8')) as Record<
      string,
      unknown
    >;
    const pages = await readPdf(await service.live.document('invoice', data));
    expect(pages).toHaveLength(2);
    const shown = (await service.live.get('/v1/templates/invoice')).json();
    expect(shown).toMatchObject({ id: 'invoice', name: 'Invoice', version: 1, status: 'active' });
  });

  it('a GenerationJob completes, and only the keys of its account can read the file', async () => {
    const { id } = await service.live.createTemplate({ html: '<p>Job for {{name}}</p>' });
    await job('by-kubectl', { templateRef: { name: id }, data: { name: 'Ada' } });
    const done = await finished('by-kubectl');
    expect(isConditionTrue(done.status?.conditions, 'Complete')).toBe(true);
    expect(done.status).toMatchObject({ phase: 'Completed', pages: 1, size: expect.any(Number) });

    const another = await clientWithNewKey(service.url, service.kubeconfig, { account: 'default' });
    for (const api of [service.live, another]) {
      const status = (await api.get('/v1/generate/by-kubectl')).json<GenerationResponse>();
      expect(status).toMatchObject({ id: 'by-kubectl', status: 'completed', template_id: id });
      const file = await api.get('/v1/generate/by-kubectl/download');
      expect(file.status, file.text.slice(0, 300)).toBe(200);
      expect(await textOf(file.bytes)).toBe('Job for Ada');
    }
    const stranger = await clientWithNewKey(service.url, service.kubeconfig, { account: 'someone-else' });
    expectError(await stranger.get('/v1/generate/by-kubectl'), 404);
    expectError(await stranger.get('/v1/generate/by-kubectl/download'), 404);
  });
});
