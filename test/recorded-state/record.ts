/**
 * `node test/recorded-state/record.ts`: records this version's data in recorded/, for the tests of later versions.
 * Needs redis-server.
 */
import { createHash } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GENERATION_JOB, isFinished, type GenerationJob } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Api } from '@trifold/test-support/api.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import {
  inventKeys,
  removeDirectory,
  REPOSITORY,
  ServiceProcess,
  temporaryDirectory,
} from '@trifold/test-support/service.ts';
import { recordQueue } from './record-queue.ts';
import { filesOf, openControlPlane, usageOf, type Facts } from './recording.ts';

/** Calls itself if `bad` is set. */
const MAY_FAIL = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{/if}}';
/** Files that every start rewrites. */
const NOT_KEPT = ['tls', 'lock', 'kubeconfig', 'url', 'objects/drafts'];

const { version } = JSON.parse(await readFile(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const files = filesOf(version);
const data = await temporaryDirectory();
const keys = inventKeys();
const service = await new ServiceProcess({ data, keys }).ready();
const facts = await fill(service.live);
await service.kill();
const pending = await unfinished();
if (pending.length === 0) throw new Error('all documents were finished before the end: run this again');
await rm(files.folder, { recursive: true, force: true });
for (const name of NOT_KEPT) await rm(path.join(data, name), { recursive: true, force: true });
await cp(data, files.data, { recursive: true });
await removeDirectory(data);
await writeJson(files.facts, { recordedAt: new Date().toISOString(), keys, ...facts, pending });
await writeJson(files.queue, await recordQueue());

async function fill(api: Api): Promise<Omit<Facts, 'recordedAt' | 'keys' | 'pending'>> {
  const settings = await api.post('/v1/webhooks/settings', { url: 'https://receiver.invalid/' });
  const { secret: webhookSecret } = settings.json<{ secret: string }>();
  const first = await api.createTemplate({
    name: 'Recorded',
    html: '<h1>{{title}}</h1>',
    css: 'h1 { color: navy }',
    schema: { fields: [{ name: 'title', type: 'string', required: true }] },
    default_options: { page_size: 'a5' },
    email: { subject: 'About {{title}}' },
  });
  const html = '<h1>{{title}}</h1><p>Saved twice</p>';
  const samples = [{ name: 'One', data: { title: 'A' } }];
  const { version: saved } = (await api.patch(`/v1/templates/${first.id}`, { html, samples })).json<{
    readonly version: number;
  }>();
  const completed = await api.generate(first.id, { title: 'Recorded' });
  const { bytes } = await api.get(`/v1/generate/${completed.id}/download`);
  const failing = { template: { html: MAY_FAIL }, data: { bad: true }, async: true };
  const failed = await create(api, '/v1/generate', failing);
  const { error } = await api.finished(failed.id);
  const items = [{ data: { title: 'B' } }, { data: { title: 'C' } }];
  const batches = '/v1/generate/batch';
  const batch = await create(api, batches, { template_id: first.id, format: 'pdf', items });
  await eventually(async () => {
    const { text } = await api.get(`${batches}/${batch.id}`);
    return text.includes('"completed"');
  });
  const documents = 1 + items.length;
  await eventually(async () => (await usageOf(api)) === documents);
  await Promise.all(
    Array.from({ length: 4 }, async (_, index) =>
      api.post('/v1/generate', { template_id: first.id, data: { title: `Late ${index}` }, async: true }),
    ),
  );
  return {
    template: { id: first.id, version: saved, html },
    completed: { id: completed.id, sha256: createHash('sha256').update(bytes).digest('hex') },
    failed: { id: failed.id, code: error?.code ?? '' },
    batch: { id: batch.id, completed: items.length },
    webhookSecret,
    documents,
  };
}

async function create(api: Api, path: string, body: object): Promise<{ readonly id: string }> {
  const { status, text } = await api.post(path, body);
  if (status >= 300) throw new Error(text);
  return JSON.parse(text) as { readonly id: string };
}

/** Also merges the database's log into its file. */
async function unfinished(): Promise<readonly string[]> {
  const controlPlane = await openControlPlane(data);
  const kubernetes = new KubernetesClient(controlPlane.transport);
  const { items } = await kubernetes.resource<GenerationJob>(GENERATION_JOB).list();
  await controlPlane.close();
  return items.filter((job) => !isFinished(job)).map(({ metadata }) => metadata.name);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 1)}\n`);
}
