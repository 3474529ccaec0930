import {
  dataKey,
  documentKeyOf,
  revisionTimeOf,
  type GenerationJob,
  type TemplateSchema,
} from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { RawJson } from '@trifold/platform/request-body/raw-json.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { revisionOf, RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aJob, aTemplate } from '../../testing/objects.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { carriedData, inputKey, JobInput } from './job-input.ts';

let store: ObjectStore;
let revisions: RevisionStore;
let input: JobInput;
let checkPool: CheckPool;
/** The job on the API server. */
let stored = '';
const getText = async () => stored;

beforeEach(() => {
  store = temporaryStore();
  revisions = new RevisionStore(store);
  checkPool = new CheckPool();
  input = new JobInput({ store, revisions, dataChecker: new DataChecker(checkPool), jobs: { getText } });
});
afterEach(() => checkPool.stop());

function withRef(dataRef: { key: string; sha256: string; size: number }, pinned = true): GenerationJob {
  const { data: _data, revision, ...spec } = aJob().spec;
  return { ...aJob(), spec: { ...spec, ...(pinned && revision !== undefined && { revision }), dataRef } };
}

async function placed(job: GenerationJob): Promise<unknown> {
  const body = await store.read(inputKey(job));
  return body && JSON.parse(body.toString());
}

/** A job whose controller has pinned a template with these fields, and whose data is `body`. */
async function pinnedJob(body: string, schema?: TemplateSchema, inline?: Record<string, unknown>) {
  const { spec } = aTemplate({ spec: { ...(schema && { schema }) } });
  const revision = revisionOf(spec, { html: spec.html ?? '' });
  await revisions.ensure('acme', revision, revisionTimeOf(aJob()));
  const reference = { key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length };
  const job = withRef(reference, false);
  const { dataRef: _dataRef, ...withoutRef } = job.spec;
  if (!inline) await store.put(inputKey(job), body);
  const status = { revision: revision.sha256 };
  return { ...job, ...(inline && { spec: { ...withoutRef, data: inline } }), status };
}

describe('carriedData', () => {
  const withoutRevision = () => {
    const { revision: _revision, ...spec } = aJob().spec;
    return { ...aJob(), spec };
  };

  it('returns final data as JSON if it fits', () => {
    expect(carriedData(aJob(), 17)).toBe('{"number":"R-17"}');
  });

  it.each<[string, GenerationJob, number]>([
    ['the queue carries none', aJob(), 0],
    ['it is larger than the queue carries', aJob(), 16],
    ['its defaults are not applied yet', withoutRevision(), 1000],
    ['it is in the store', withRef({ key: 'k', sha256: 'd'.repeat(64), size: 1 }), 1000],
  ])('leaves the data in the store if %s', (_why, job, maxBytes) => {
    expect(carriedData(job, maxBytes)).toBeUndefined();
  });
});

describe('JobInput', () => {
  it("stores inline data next to the document's key", async () => {
    await input.storeData(aJob());
    expect(inputKey(aJob())).toBe(dataKey(documentKeyOf(aJob())));
    expect(await placed(aJob())).toEqual({ number: 'R-17' });
  });

  it('accepts referenced data and rejects a job whose data is missing or different', async () => {
    const body = '{"number":"R-18"}';
    const job = withRef({ key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length });
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'data_missing' });
    await store.put(inputKey(job), body);
    await input.storeData(job);
    await store.put(inputKey(job), `${body} `);
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it("finds a job's data by ID if the job was created long after the ID", async () => {
    const body = '{"number":"R-18"}';
    const early = dataKey(documentKeyOf(aJob()));
    await store.put(early, body);
    const referring = withRef({ key: early, sha256: sha256Hex(body), size: body.length });
    const { creationTimestamp } = referring.metadata;
    const anHourLater = new Date(Date.parse(creationTimestamp) + 3_600_000).toISOString();
    const late = { ...referring, metadata: { ...referring.metadata, creationTimestamp: anHourLater } };
    expect(inputKey(late)).not.toBe(early);
    await input.storeData(late);
    expect(await placed(late)).toEqual({ number: 'R-18' });
    await store.put(early, '{"number":"another"}');
    await expect(input.storeData(late)).rejects.toMatchObject({ code: 'data_missing' });
  });

  const foreign = 'documents/20261121T1200Z/other/gen-01m7yzmhg0vaqj9wbz3kmt47vc.data';
  it.each([
    ['is that of another account, whatever key the resource names', foreign, '{}'],
    ['has another checksum than the reference', inputKey(aJob()), '{"changed":1}'],
  ])('never reads data that %s', async (_what, key, body) => {
    await store.put(key, body);
    const job = withRef({ key, sha256: sha256Hex('{}'), size: 2 }, false);
    await expect(input.read(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('keeps the digits of long integers in inline data, as the API server stores them', async () => {
    const data = '{"n":9007199254740993,"d":1.5,"l":[9223372036854775807]}';
    const job = { ...aJob(), spec: { ...aJob().spec, data: JSON.parse(data) as Record<string, unknown> } };
    stored = `{"metadata":{"uid":"${job.metadata.uid}"},"spec":{"data":${data}}}`;
    expect(Buffer.from(((await input.read(job)) as RawJson).json).toString()).toBe(data);
    stored = `{"metadata":{"uid":"another"},"spec":{"data":${data}}}`;
    await expect(input.read(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('returns a copy of inline data', async () => {
    const job = aJob();
    Object.assign(await input.read(job), { number: 'changed' });
    expect(job.spec.data).toEqual({ number: 'R-17' });
  });

  it.each([
    ['small', 'in the resource'],
    ['small', 'in the store'],
    ['large', 'in the resource'],
    ['large', 'in the store'],
  ])('applies the defaults of the pinned revision to %s data %s, even after a crash', async (size, where) => {
    const list = Array.from({ length: size === 'large' ? 100_000 : 1 }, (_, index) => index);
    const schema: TemplateSchema = { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] };
    const inline = where === 'in the resource' ? { list } : undefined;
    const job = await pinnedJob(JSON.stringify({ list }), schema, inline);
    for (const _attempt of [1, 2]) await input.storeData(job);
    expect(await placed(job)).toEqual({ list, currency: 'EUR' });
    if (inline) expect(job.spec.data).toEqual({ list });
  });

  const deep = (text: string) => {
    let value: unknown = text;
    for (let level = 0; level < 100; level += 1) value = [value];
    return { value };
  };
  const noObject = 'the data is not a JSON object';
  it.each(['small', 'large'])(
    'rejects %s data that is not an object of the permitted depth',
    async (size) => {
      const text = '1'.repeat(size === 'large' ? 200_000 : 10);
      const schema: TemplateSchema = { fields: [{ name: 'a', type: 'string' }] };
      for (const [body, message, fields] of [
        [`{"iban": DE02${text}`, noObject, schema],
        [JSON.stringify([text]), noObject],
        [JSON.stringify(text), noObject],
        [JSON.stringify(deep(text)), 'the data is nested deeper than 100 levels'],
      ] as const) {
        const job = await pinnedJob(body, fields);
        await expect(input.storeData(job)).rejects.toMatchObject({ code: 'data_invalid', message });
      }
      const valid = await pinnedJob(JSON.stringify({ text }));
      await input.storeData(valid);
      expect(await placed(valid)).toEqual({ text });
    },
  );

  it('rejects a job whose pinned revision is not stored', async () => {
    const { revision: _revision, ...spec } = aJob().spec;
    const job = { ...aJob(), spec, status: { revision: 'f'.repeat(64) } };
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'revision_missing' });
  });
});
