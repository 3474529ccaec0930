import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey, isKnown, run } from '../support/keys-command.ts';
import { hasCondition, KubeClient, type KubeObject } from '../support/kubernetes/kube-client.ts';
import { readPdf, textOf } from '../support/files/pdf.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
const KUBECTL = process.env['TRIFOLD_TEST_KUBECTL'];

let service: ServiceProcess;
let kube: KubeClient;

beforeAll(async () => {
  service = await new ServiceProcess({ data: await temporaryDirectory(), keys: inventKeys() }).ready();
  kube = await KubeClient.fromFile(service.kubeconfig);
});
afterAll(async () => {
  kube.close();
  await service.stop();
  await removeDirectory(service.data);
});

const finished = (name: string) =>
  eventually(async () => {
    const job = await kube.get('generationjobs', name);
    return (hasCondition(job, 'Complete') || hasCondition(job, 'Failed')) && job;
  });

const job = (name: string, spec: Record<string, unknown>) =>
  kube.create('generationjobs', { kind: 'GenerationJob', metadata: { name }, spec });

describe('Objects that kubectl applies', () => {
  it('a template becomes Ready and is usable through /v1 by its name', async () => {
    const manifest = parse(await readFile(new URL('invoice.yaml', EXAMPLES), 'utf8')) as KubeObject;
    await kube.create('templates', manifest as never);
    const template = await eventually(async () => {
      const read = await kube.get('templates', 'invoice');
      return hasCondition(read, 'Ready') && read;
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

  it('a template that does not compile reports the position of the error', async () => {
    await kube.create('templates', {
      kind: 'Template',
      metadata: { name: 'broken' },
      spec: { displayName: 'Broken', html: '<p>\n  {{#if a}}' },
    });
    const broken = await eventually(async () => {
      const read = await kube.get('templates', 'broken');
      return (
        (read.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False') &&
          read) ??
        false
      );
    });
    expect(broken.status).toMatchObject({ error: { line: expect.any(Number), column: expect.any(Number) } });
    expectError(await service.live.post('/v1/generate', { template_id: 'broken', data: {} }), 422);
  });

  it('a GenerationJob completes, and every key of its account and no other can read the file', async () => {
    const { id } = await service.live.createTemplate({ html: '<p>Job for {{name}}</p>' });
    await job('by-kubectl', { templateRef: { name: id }, data: { name: 'Ada' } });
    const done = await finished('by-kubectl');
    expect(hasCondition(done, 'Complete')).toBe(true);
    expect(done.status).toMatchObject({ phase: 'Completed', pages: 1, size: expect.any(Number) });

    const another = await clientWithNewKey(service.url, service.kubeconfig, { account: 'default' });
    for (const api of [service.live, another]) {
      const status = (await api.get('/v1/generate/by-kubectl')).json<GenerationAnswer>();
      expect(status).toMatchObject({ id: 'by-kubectl', status: 'completed', template_id: id });
      const file = await api.get('/v1/generate/by-kubectl/download');
      expect(file.status, file.text.slice(0, 300)).toBe(200);
      expect(await textOf(file.bytes)).toBe('Job for Ada');
    }
    const stranger = await clientWithNewKey(service.url, service.kubeconfig, { account: 'someone-else' });
    expectError(await stranger.get('/v1/generate/by-kubectl'), 404);
    expectError(await stranger.get('/v1/generate/by-kubectl/download'), 404);
  });

  it.each<[string, (template: string) => Record<string, unknown>]>([
    ['a missing template', () => ({ templateRef: { name: 'nowhere' }, data: {} })],
    ['data that violates the schema', (name) => ({ templateRef: { name }, data: { amount: 'much' } })],
    ['a template that does not compile', () => ({ templateRef: { name: 'broken' }, data: {} })],
  ])('a GenerationJob with %s fails with a reason', async (what, spec) => {
    const { id } = await service.live.createTemplate({
      schema: { fields: [{ name: 'amount', type: 'number', required: true }] },
    });
    const name = `fails-${createHash('sha256').update(what).digest('hex').slice(0, 8)}`;
    await job(name, spec(id));
    const failed = await finished(name);
    expect(hasCondition(failed, 'Failed')).toBe(true);
    expect(failed.status?.error).toEqual({
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      message: expect.stringMatching(/\S.{8,}/),
    });
    const shown = (await service.live.get(`/v1/generate/${name}`)).json<GenerationAnswer>();
    expect(shown).toMatchObject({ status: 'failed', error: failed.status?.error });
  });

  it('a GenerationJob of mode test gets a watermark, one of mode live or without a mode does not', async () => {
    const { id } = await service.live.createTemplate({ html: '<p>one</p>' });
    const textFor = async (name: string, more: Record<string, unknown>) => {
      await job(name, { templateRef: { name: id }, data: {}, ...more });
      await finished(name);
      return textOf((await service.live.get(`/v1/generate/${name}/download`)).bytes);
    };
    expect(await textFor('mode-test', { mode: 'test' })).toMatch(/^one ?TEST$/);
    expect(await textFor('mode-live', { mode: 'live' })).toBe('one');
    expect(await textFor('mode-none', {})).toBe('one');
    await expect(job('mode-other', { templateRef: { name: id }, data: {}, mode: 'free' })).rejects.toThrow(
      /mode/,
    );
  });

  it('a job created through /v1 is readable as a GenerationJob', async () => {
    const { id } = await service.live.createTemplate();
    const { id: document } = await service.live.generate(id, { name: 'Ada' });
    const read = await kube.get('generationjobs', document);
    expect(hasCondition(read, 'Complete')).toBe(true);
  });

  it('an ApiKey stops working after its deletion', async () => {
    const before = new Set((await kube.list('apikeys')).map(({ metadata }) => metadata.name));
    const api = await clientWithNewKey(service.url, service.kubeconfig, { account: 'default' });
    const made = (await kube.list('apikeys')).find(({ metadata }) => !before.has(metadata.name));
    await kube.delete('apikeys', made!.metadata.name);
    await eventually(async () => !(await isKnown(api)));
    expectError(await api.get('/v1/templates'), 401);
  });

  it('a template disappears from /v1 when its resource is deleted', async () => {
    const { id } = await service.live.createTemplate();
    await kube.delete('templates', id);
    expectError(await service.live.get(`/v1/templates/${id}`), 404);
  });
});

describe.runIf(KUBECTL)('kubectl', () => {
  const kubectl = async (args: readonly string[], input?: string) => {
    const options = { env: { ...process.env, KUBECONFIG: service.kubeconfig }, ...(input && { input }) };
    const result = await run(KUBECTL as string, args, options);
    expect(result.code, result.stderr).toBe(0);
    return result.stdout;
  };

  it('applies a job and waits for it until the document is ready', async () => {
    const { id } = await service.live.createTemplate({ html: '<p>Applied for {{name}}</p>' });
    const manifest = {
      apiVersion: 'trifold.dev/v1alpha1',
      kind: 'GenerationJob',
      metadata: { name: 'applied' },
      spec: { templateRef: { name: id }, data: { name: 'Grace' }, filename: 'grace.pdf' },
    };
    await kubectl(['apply', '-f', '-'], JSON.stringify(manifest));
    await kubectl(['wait', '--for=condition=Complete', 'gj/applied', '--timeout=30s']);
    expect(await kubectl(['get', 'gj', 'applied'])).toMatch(/applied\s+\S+\s+Completed\s+1\s/);
    const file = await service.live.get('/v1/generate/applied/download');
    expect(file.headers.get('content-disposition')).toContain('grace.pdf');
    expect(await textOf(file.bytes)).toBe('Applied for Grace');
  });
});

describe('Changes of a finished job by kubectl', () => {
  it('do not affect the API: the file stays the same and a removed status is restored', async () => {
    const { live } = service;
    const { id } = await live.createTemplate({ html: '<p>{{name}}</p>' });
    const { id: document } = await live.generate(id, { name: 'Ada' });
    const download = async () => {
      const answer = await live.get(`/v1/generate/${document}/download`);
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      return answer.bytes;
    };
    const before = await download();

    await kube.patch('generationjobs', document, { spec: { data: { name: 'Eve' } } });
    const nonsense = { size: null, sha256: null, objectKey: 'elsewhere', renderTimeMs: null, pages: null };
    await kube.patch('generationjobs', `${document}/status`, { status: nonsense });
    expect(await live.finished(document)).toMatchObject({ id: document, status: 'completed' });
    expect(await download()).toEqual(before);

    await kube.patch('generationjobs', `${document}/status`, { status: null });
    expect(await live.finished(document)).toMatchObject({ status: 'completed', file_size: before.length });
    expect(await download()).toEqual(before);
    expect((await kube.get('generationjobs', document)).metadata.generation).toBe(2);
  });
});
