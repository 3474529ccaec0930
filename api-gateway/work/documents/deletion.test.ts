import { documentKeyOf, inputKeys, recordKey, type GenerationJob } from '@trifold/crds';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { eraseDocument } from '@trifold/platform/records/documents/finished-document.ts';
import { expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';

const gateway = await GatewayFixture.shared();
const controller = new ScriptedController(gateway);
const template_id = await gateway.template();
const siblingKey = await gateway.mint({}, true);

const newJob = async () => gateway.job({ template_id });

async function completedJob(): Promise<GenerationJob> {
  const job = await newJob();
  await controller.complete(job);
  return job;
}

const pathOf = ({ metadata }: GenerationJob) => `/v1/generate/${metadata.name}`;

async function answersOf(job: GenerationJob): Promise<unknown[]> {
  const download = `${pathOf(job)}/download`;
  const responses = [
    await gateway.call('GET', pathOf(job)),
    await gateway.call('GET', pathOf(job), { key: siblingKey }),
    await gateway.call('GET', download),
    await gateway.call('DELETE', pathOf(job)),
  ];
  expect((await gateway.call('HEAD', download)).statusCode).toBe(410);
  return responses.map((response) => [response.statusCode, response.json<{ code: string }>().code]);
}

const GONE = Array.from({ length: 4 }, () => [410, 'document_deleted']);

it.each([
  ['unfinished', newJob, false],
  ['finished', completedJob, false],
  ['finished, whose job is deleted', completedJob, true],
])('a document that is %s is deleted', async (_what, create, isArchived) => {
  const job = await create();
  if (isArchived) await controller.remove(job);
  const response = await gateway.call('DELETE', pathOf(job));
  expect(response.json()).toEqual({ id: job.metadata.name, deleted: true });
  expect(await answersOf(job)).toEqual(GONE);
  expect(await gateway.store.read(documentKeyOf(job))).toEqual(Buffer.alloc(0));
  expect(await gateway.store.head(recordKey(documentKeyOf(job)))).toBeUndefined();
  if (!isArchived) await controller.remove(job);
  expect(await answersOf(job)).toEqual(GONE);
});

it('a failed document is deleted with its input even if only its record is left', async () => {
  const job = await newJob();
  await controller.fail(job);
  await controller.remove(job);
  const input = inputKeys(documentKeyOf(job));
  for (const key of input) await gateway.store.put(key, '{}');
  expect((await gateway.call('DELETE', pathOf(job))).statusCode).toBe(200);
  expect((await gateway.call('GET', `${pathOf(job)}/data`)).statusCode).toBe(410);
  for (const key of input) expect(await gateway.store.head(key)).toBeUndefined();
  expect(await answersOf(job)).toEqual(GONE);
});

it('a download that finds the tombstone before the annotation returns 410', async () => {
  const job = await completedJob();
  await eraseDocument(gateway.store, 'acme', documentKeyOf(job), acceptedDocument(job));
  const download = `${pathOf(job)}/download`;
  expect((await gateway.call('GET', download)).json()).toMatchObject({ code: 'document_deleted' });
  expect((await gateway.call('HEAD', download)).statusCode).toBe(410);
});

it('a request repeated after the deletion of its document returns 410', async () => {
  const headers = { 'idempotency-key': 'deleted-1' };
  const body = { template_id, data: {}, async: true };
  await gateway.call('DELETE', pathOf(await gateway.job(body, headers)));
  const again = await gateway.call('POST', '/v1/generate', { body, headers });
  expect(again.json()).toMatchObject({ statusCode: 410, code: 'document_deleted' });
});

it.each(['bat-01kaj3v1qm5gs8d0q7x8w1n2ec', 'bat-01kaj3v1qm5gs8d0q7x8w1n2ec%2F7'])(
  'the batch or item %s is not deleted',
  async (id) => {
    const response = await gateway.call('DELETE', `/v1/generate/${id}`);
    expect(response.json()).toMatchObject({ statusCode: 422, code: 'batch_not_deletable' });
    expect(response.json<{ message: string }>().message).toContain('bat-01kaj3v1qm5gs8d0q7x8w1n2ec');
  },
);
