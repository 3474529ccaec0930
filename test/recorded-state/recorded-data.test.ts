import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { CUSTOM_KINDS, type KubernetesObject } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { signatureOf } from '@trifold/platform/records/webhooks/signature.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { suiteDirectory, testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { WebhookReceiver } from '@trifold/test-support/http/webhook-receiver.ts';
import { REPOSITORY, ServiceProcess, withConstants } from '@trifold/test-support/service.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { filesOf, openControlPlane, recordedVersions, usageOf, type Facts } from './recording.ts';

/** Receivers run on this machine. */
const THIS_MACHINE = { TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1', TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true' };

describe.each(recordedVersions())('The data of version %s', (version) => {
  const files = filesOf(version);
  let facts: Facts;
  let service: ServiceProcess;

  beforeAll(async () => {
    facts = JSON.parse(await readFile(files.facts, 'utf8')) as Facts;
    const data = suiteDirectory();
    await cp(files.data, data, { recursive: true });
    const [program, ...words] = withConstants({ usageIntervalMs: 500 }, 'test/recorded-state/start-at.ts');
    const command = [program, ...words, facts.recordedAt] as const;
    service = new ServiceProcess({ data, keys: facts.keys, environment: THIS_MACHINE, command });
    await service.ready();
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('includes the template with all versions and samples', async () => {
    const { id, html, version: last } = facts.template;
    expect((await service.live.get(`/v1/templates/${id}`)).json()).toMatchObject({ html, version: last });
    expect((await service.live.get(`/v1/templates/${id}/versions`)).json()).toMatchObject({
      data: [{ version: last }, { version: last - 1 }],
    });
    expect((await service.live.get(`/v1/templates/${id}/samples`)).text).toContain('"One"');
    await service.live.document(id, { title: 'Another document' });
  });

  it('includes the finished work and the same file', async () => {
    const { completed, failed, batch } = facts;
    const { status, bytes } = await service.live.get(`/v1/generate/${completed.id}/download`);
    expect([status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, completed.sha256]);
    expect(await service.live.finished(failed.id)).toMatchObject({
      status: 'failed',
      error: { code: failed.code },
    });
    const { text } = await service.live.get(`/v1/generate/batch/${batch.id}`);
    expect(text.match(/"status":"completed"/g)).toHaveLength(1 + batch.completed);
    expect((await service.live.get('/v1/requests')).text).toContain('/v1/generate');
  });

  it('includes unfinished work that completes, and each document counts once', async () => {
    for (const id of facts.pending) {
      expect(await service.live.finished(id)).toMatchObject({ id, status: 'completed' });
    }
    // The template test has created one more.
    const documents = facts.documents + facts.pending.length + 1;
    await eventually(async () => expect(await usageOf(service.live)).toBe(documents));
  });

  it('includes a sealed webhook secret that still opens', async () => {
    const receiver = await WebhookReceiver.start({ plain: true });
    onTestFinished(() => receiver.stop());
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect((await service.live.post('/v1/webhooks/settings', { url })).json()).not.toHaveProperty('secret');
    const tested = await service.live.post('/v1/webhooks/settings/test', undefined);
    expect(tested.json(), tested.text).toMatchObject({ delivered: true });
    const { headers, body } = receiver.received.find(({ body: sent }) => sent.includes('test'))!;
    const timestamp = Number(headers['x-trifold-timestamp']);
    expect(headers['x-trifold-signature']).toBe(signatureOf(facts.webhookSecret, timestamp, body));
  });

  it('contains resources of each kind that are valid today', async () => {
    const validators = await schemasOfKinds();
    const kubernetes = await controlPlaneOf(files.data);
    for (const kind of CUSTOM_KINDS) {
      const { items } = await kubernetes.builtin<KubernetesObject>(kind).list();
      expect(items.length, kind.kind).toBeGreaterThan(0);
      const validate = validators.get(kind.plural)!;
      for (const item of items) expect(validate(item), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

/** Not over TLS: the service's certificates have expired, except by its own clock. */
async function controlPlaneOf(data: string): Promise<KubernetesClient> {
  const copy = testDirectory();
  await cp(data, copy, { recursive: true });
  const controlPlane = await openControlPlane(copy);
  onTestFinished(() => controlPlane.close());
  return new KubernetesClient(controlPlane.transport);
}

interface Definition {
  readonly spec: {
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: object } }[];
  };
}

/** Schemas in the manifests that a cluster installs, by the kind's plural. */
async function schemasOfKinds(): Promise<ReadonlyMap<string, ValidateFunction>> {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const folder = path.join(REPOSITORY, 'crds/manifests');
  const schemas = new Map<string, ValidateFunction>();
  for (const file of await readdir(folder)) {
    const { spec } = parse(await readFile(path.join(folder, file), 'utf8')) as Definition;
    schemas.set(spec.names.plural, ajv.compile(spec.versions[0]!.schema.openAPIV3Schema));
  }
  return schemas;
}
