import { templateSourceKey, type Template } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { keepSource, readSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { aTemplate } from '../testing/objects.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { UnusedSources } from './unused-template-files.ts';

const HOUR = 3_600_000;
const LARGE = { html: `<p>${'x'.repeat(70_000)}</p>` };
let store: ObjectStore;
let clock: FakeClock;
/** Templates on the API server, and templates in the informer's cache. */
let server: Template[];
let cached: Template[] | undefined;
let beforeResponse: () => Promise<void>;
let sources: UnusedSources;
beforeEach(() => {
  store = temporaryStore();
  clock = new FakeClock('2026-11-21T12:00:00Z');
  server = [];
  cached = undefined;
  beforeResponse = async () => {};
  sources = new UnusedSources({
    store,
    templates: {
      // The list shows the state at the time of the request.
      async *listAll({ namespace } = {}) {
        const listed = server.filter(({ metadata }) => metadata.namespace === namespace);
        await beforeResponse();
        yield* listed;
      },
    },
    cache: { list: () => cached ?? server },
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
});

/** Does what a gateway does: stores the source, then writes the template. */
async function given(name: string, source = LARGE): Promise<Template> {
  const members = await keepSource(store, 'acme', source, clock.now());
  const { html: _html, ...spec } = aTemplate().spec;
  const template = aTemplate({ metadata: { name } });
  return { ...template, spec: { ...spec, ...members } };
}

const collect = () => sources.collect(clock.now());
const kept = async () => (await store.list('sources/')).objects.map(({ key }) => key);
/** Moves the clock past the end of the day plus 48 hours. */
const untilOld = () => clock.advance(60 * HOUR);

describe('Garbage collection of unreferenced sources', () => {
  it('deletes a source in the second run once 48 hours have passed since the end of its day', async () => {
    await given('never written');
    clock.advance(60 * HOUR - 1);
    expect([await collect(), await collect(), await collect()]).toEqual([0, 0, 0]);
    clock.advance(1);
    expect(await collect()).toBe(0);
    expect(await kept()).toHaveLength(1);
    expect(await collect()).toBe(1);
    expect(await kept()).toEqual([]);
  });

  it("keeps a template's previous source until the second run after the change", async () => {
    server = [await given('letter')];
    untilOld();
    expect([await collect(), await collect()]).toEqual([0, 0]);
    const before = server[0]?.spec ?? {};
    server = [await given('letter', { html: `${LARGE.html}!` })];
    expect(await collect()).toBe(0);
    // A request that read the template just beforehand still finds its source.
    expect(await readSource(store, 'acme', before)).toEqual(LARGE);
    expect(await collect()).toBe(1);
    expect(await readSource(store, 'acme', server[0]?.spec ?? {})).toMatchObject({});
  });

  it('does not lose a source that is stored again during its deletion', async () => {
    await given('former');
    untilOld();
    await collect();
    let written: Template | undefined;
    beforeResponse = async () => {
      // This runs after the server has built its list and before the deletion.
      written = await given('new');
      server = [written];
    };
    expect(await collect()).toBe(1);
    expect(await readSource(store, 'acme', written?.spec ?? {})).toEqual(LARGE);
  });
});

it('Garbage collection keeps an old source even if only the last template on the server refers to it', async () => {
  const letter = await given('letter');
  server = [aTemplate({ metadata: { name: 'other' } }), letter];
  untilOld();
  expect([await collect(), await collect()]).toEqual([0, 0]);
  cached = [];
  expect([await collect(), await collect()]).toEqual([0, 0]);
  expect(await readSource(store, 'acme', letter.spec)).toEqual(LARGE);
});

it('Garbage collection keeps identical sources in different accounts separate', async () => {
  const letter = await given('letter');
  server = [letter];
  const foreign = templateSourceKey('other', letter.spec.sourceRef?.sha256 ?? '', clock.now());
  await store.put(foreign, '{}');
  untilOld();
  expect([await collect(), await collect()]).toEqual([0, 1]);
  expect(await kept()).toEqual([letter.spec.sourceRef?.key]);
});

it('deletes nothing if the templates cannot be read, and otherwise deletes only sources', async () => {
  await given('never written');
  await store.put('sources/20261121/acme/notes', 'x');
  untilOld();
  await collect();
  beforeResponse = async () => {
    throw new Error('the API server is away');
  };
  await expect(collect()).rejects.toThrow('the API server is away');
  beforeResponse = async () => {};
  expect(await collect()).toBe(1);
  expect(await kept()).toEqual(['sources/20261121/acme/notes']);
});
