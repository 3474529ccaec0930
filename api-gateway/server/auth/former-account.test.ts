import { NAMESPACE, type KubernetesObject } from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

let clock: FakeClock;
let gateway: GatewayFixture;
let controller: ScriptedController;
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await GatewayFixture.forTest({ clock });
  controller = new ScriptedController(gateway);
});

async function document(end: 'complete' | 'fail'): Promise<string> {
  const job = await gateway.job({ template_id: await gateway.template() });
  await controller[end](job);
  return job.metadata.name;
}

/** Deletes the account's namespace and creates it again, with a new key. */
async function recreateAccount(): Promise<void> {
  const namespaces = gateway.kubernetes.builtin<KubernetesObject>(NAMESPACE);
  await namespaces.delete(undefined, 'acme');
  await eventually(async () => !(await namespaces.find(undefined, 'acme')));
  clock.advance(1000);
  await ensureAccount(gateway.kubernetes, 'acme');
  gateway.key = await gateway.mint({});
  await eventually(async () => {
    return (await gateway.call('GET', '/v1/templates')).statusCode === 200;
  });
}

it('a new account sees its own documents, not those of a deleted account with the same name', async () => {
  const former = [await document('complete'), await document('fail')];
  await recreateAccount();
  for (const id of former) {
    for (const path of [`/v1/generate/${id}`, `/v1/generate/${id}/download`]) {
      const response = await gateway.call('GET', path);
      expect([response.statusCode, response.json().code]).toEqual([404, 'document_not_found']);
    }
  }
  const own = await document('complete');
  for (const job of await controller.jobs()) await controller.remove(job);
  expect((await gateway.call('GET', `/v1/generate/${own}/download`)).statusCode).toBe(200);
});

it('a new account sees its own batches, not those of a deleted account with the same name', async () => {
  const batches = new ScriptedBatches(gateway);
  const batch = async () => {
    const body = { template_id: await gateway.template(), format: 'pdf', items: [{ data: {} }] };
    const { id } = (await gateway.call('POST', '/v1/generate/batch', { body })).json<{ id: string }>();
    await batches.finish(id);
    return id;
  };
  const former = await batch();
  await recreateAccount();
  for (const path of ['', '/download', '/items/0/download']) {
    const response = await gateway.call('GET', `/v1/generate/batch/${former}${path}`);
    expect([response.statusCode, response.json().code]).toEqual([404, 'batch_not_found']);
  }
  const own = await batch();
  await batches.remove(own);
  expect((await gateway.call('GET', `/v1/generate/batch/${own}/download`)).statusCode).toBe(200);
});
