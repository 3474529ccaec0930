import { dataKey, documentKeyOf, revisionTimeOf, type GenerationJob } from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { RawJson } from '@trifold/platform/request-body/raw-json.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { revisionOf, RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aJob, aTemplate } from '../../testing/objects.ts';
import { temporaryStore } from '../../testing/temporary-store.ts';
import { carriedData, inputKey, JobInput, rejectDeepData } from './job-input.ts';

let temporary: ReturnType<typeof temporaryStore>;
let revisions: RevisionStore;
let input: JobInput;
let checkPool: CheckPool;
/** The job as the API server has it. */
let stored = '';
const getText = async () => stored;

beforeEach(() => {
  temporary = temporaryStore();
  revisions = new RevisionStore(temporary.store);
  checkPool = new CheckPool();
  const { store } = temporary;
  input = new JobInput({ store, revisions, dataChecker: new DataChecker(checkPool), jobs: { getText } });
});
afterEach(async () => {
  await checkPool.stop();
  temporary.remove();
});

function withRef(dataRef: { key: string; sha256: string; size: number }, pinned = true): GenerationJob {
  const { data: _data, revision, ...spec } = aJob().spec;
  return { ...aJob(), spec: { ...spec, ...(pinned && revision !== undefined && { revision }), dataRef } };
}

async function placed(job: GenerationJob): Promise<unknown> {
  const body = await temporary.store.read(inputKey(job));
  return body && JSON.parse(body.toString());
}

describe('carriedData', () => {
  const withoutRevision = () => {
    const { revision: _revision, ...spec } = aJob().spec;
    return { ...aJob(), spec };
  };

  it('returns final data as JSON when it fits', () => {
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
  it('stores inline data beside the key of the document', async () => {
    await input.storeData(aJob());
    expect(inputKey(aJob())).toBe(dataKey(documentKeyOf(aJob())));
    expect(await placed(aJob())).toEqual({ number: 'R-17' });
  });

  it('accepts referenced data, and rejects a job whose data is missing or different', async () => {
    const body = '{"number":"R-18"}';
    const job = withRef({ key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length });
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'data_missing' });
    await temporary.store.put(inputKey(job), body);
    await input.storeData(job);
    await temporary.store.put(inputKey(job), `${body} `);
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('finds the data of a job by its id when the job was created long after the id', async () => {
    const body = '{"number":"R-18"}';
    const early = dataKey(documentKeyOf(aJob()));
    await temporary.store.put(early, body);
    const referring = withRef({ key: early, sha256: sha256Hex(body), size: body.length });
    const { creationTimestamp } = referring.metadata;
    const anHourLater = new Date(Date.parse(creationTimestamp) + 3_600_000).toISOString();
    const late = { ...referring, metadata: { ...referring.metadata, creationTimestamp: anHourLater } };
    expect(inputKey(late)).not.toBe(early);
    await input.storeData(late);
    expect(await placed(late)).toEqual({ number: 'R-18' });
    await temporary.store.put(early, '{"number":"another"}');
    await expect(input.storeData(late)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('never reads the data of another account, whatever key the resource names', async () => {
    const body = '{"secret":1}';
    const foreign = 'documents/20261121T1200Z/other/gen-01m7yzmhg0vaqj9wbz3kmt47vc.data';
    await temporary.store.put(foreign, body);
    const job = withRef({ key: foreign, sha256: sha256Hex(body), size: body.length }, false);
    await expect(input.read(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('rejects stored data with another checksum than the reference', async () => {
    const job = withRef({ key: inputKey(aJob()), sha256: 'e'.repeat(64), size: 2 }, false);
    await temporary.store.put(inputKey(job), '{}');
    await expect(input.read(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('rejects data that is not a JSON object, without quoting it', async () => {
    const body = '{"iban": DE02120300000000202051';
    const job = withRef({ key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length }, false);
    await temporary.store.put(inputKey(job), body);
    const error = await input.read(job).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(error).toMatchObject({ code: 'data_invalid' });
    expect(error?.message).not.toContain('DE02');
  });

  it('has the digits of long integers in inline data, as the API server has them', async () => {
    const data = '{"n":9007199254740993,"d":1.5,"l":[9223372036854775807]}';
    const job = { ...aJob(), spec: { ...aJob().spec, data: JSON.parse(data) as Record<string, unknown> } };
    stored = `{"metadata":{"uid":"${job.metadata.uid}"},"spec":{"data":${data}}}`;
    const read = await input.read(job);
    expect(Buffer.from((read as RawJson).json).toString()).toBe(data);
    stored = `{"metadata":{"uid":"another"},"spec":{"data":${data}}}`;
    await expect(input.read(job)).rejects.toMatchObject({ code: 'data_missing' });
  });

  it('returns a copy of inline data', async () => {
    const job = aJob();
    Object.assign(await input.read(job), { number: 'changed' });
    expect(job.spec.data).toEqual({ number: 'R-17' });
  });

  it('applies the defaults of the pinned revision, with the same result after a crash', async () => {
    const template = aTemplate({
      spec: { schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] } },
    });
    const revision = revisionOf(template.spec, { html: template.spec.html ?? '' });
    await revisions.ensure('acme', revision, revisionTimeOf(aJob()));
    const { revision: _revision, ...spec } = aJob().spec;
    const inline = { ...aJob(), spec, status: { revision: revision.sha256 } };
    await input.storeData(inline);
    expect(await placed(inline)).toEqual({ number: 'R-17', currency: 'EUR' });

    const body = '{"number":"R-18"}';
    const reference = { key: inputKey(inline), sha256: sha256Hex(body), size: body.length };
    const referring = { ...withRef(reference, false), status: { revision: revision.sha256 } };
    await temporary.store.put(inputKey(referring), body);
    await input.storeData(referring);
    await input.storeData(referring);
    expect(await placed(referring)).toEqual({ number: 'R-18', currency: 'EUR' });
    expect(inline.spec.data).toEqual({ number: 'R-17' });
  });

  it.each(['in the resource', 'in the store'])('applies defaults to large data %s', async (where) => {
    const template = aTemplate({
      spec: { schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] } },
    });
    const revision = revisionOf(template.spec, { html: template.spec.html ?? '' });
    await revisions.ensure('acme', revision, revisionTimeOf(aJob()));
    const data = { list: Array.from({ length: 100_000 }, (_, index) => index) };
    const { revision: _revision, ...spec } = aJob().spec;
    const inline = { ...aJob(), spec: { ...spec, data } };
    const body = JSON.stringify(data);
    const reference = { key: inputKey(inline), sha256: sha256Hex(body), size: body.length };
    const unpinned = where === 'in the resource' ? inline : withRef(reference, false);
    const job = { ...unpinned, status: { revision: revision.sha256 } };
    await temporary.store.put(inputKey(job), body);
    await input.storeData(job);
    expect(await placed(job)).toEqual({ ...data, currency: 'EUR' });
    expect(inline.spec.data).toEqual(data);
  });

  it('rejects large data that is not a JSON object, without quoting it', async () => {
    const template = aTemplate({ spec: { schema: { fields: [{ name: 'a', type: 'string' }] } } });
    const revision = revisionOf(template.spec, { html: template.spec.html ?? '' });
    await revisions.ensure('acme', revision, revisionTimeOf(aJob()));
    const body = `{"iban": DE02${'1'.repeat(200_000)}`;
    const reference = { key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length };
    const job = { ...withRef(reference, false), status: { revision: revision.sha256 } };
    await temporary.store.put(inputKey(job), body);
    await expect(input.storeData(job)).rejects.toThrow(/^the data is not a JSON object$/);
  });

  it.each(['small', 'large'])(
    'rejects %s data that is not a JSON object for a template without a schema',
    async (size) => {
      const { spec } = aTemplate();
      const revision = revisionOf(spec, { html: spec.html ?? '' });
      await revisions.ensure('acme', revision, revisionTimeOf(aJob()));
      const count = size === 'large' ? 100_000 : 10;
      const place = async (data: unknown) => {
        const body = JSON.stringify(data);
        const reference = { key: inputKey(aJob()), sha256: sha256Hex(body), size: body.length };
        const job = { ...withRef(reference, false), status: { revision: revision.sha256 } };
        await temporary.store.put(inputKey(job), body);
        await input.storeData(job);
        return placed(job);
      };
      const list = Array.from({ length: count }, (_, index) => index);
      const text = 'x'.repeat(count * 2);
      for (const data of [list, text]) {
        const error = { code: 'data_invalid', message: 'the data is not a JSON object' };
        await expect(place(data)).rejects.toMatchObject(error);
      }
      let deep: unknown = text;
      for (let level = 0; level < 100; level += 1) deep = [deep];
      const error = { code: 'data_invalid', message: 'the data is nested deeper than 100 levels' };
      await expect(place({ deep })).rejects.toMatchObject(error);
      expect(await place({ list, text })).toEqual({ list, text });
    },
  );

  it('rejects data in a resource that nests deeper than a request body may', () => {
    let data: unknown = 1;
    for (let level = 0; level < 100; level += 1) data = [data];
    expect(() => rejectDeepData(aJob({ spec: { data: { data } } }))).toThrow(
      'the data is nested deeper than 100 levels',
    );
    expect(() => rejectDeepData(aJob({ spec: { data: { data: (data as unknown[])[0] } } }))).not.toThrow();
  });

  it('rejects a job whose pinned revision is not stored', async () => {
    const { revision: _revision, ...spec } = aJob().spec;
    const job = { ...aJob(), spec, status: { revision: 'f'.repeat(64) } };
    await expect(input.storeData(job)).rejects.toMatchObject({ code: 'revision_missing' });
  });
});
