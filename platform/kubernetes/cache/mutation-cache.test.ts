import { beforeEach, describe, expect, it } from 'vitest';
import { thingOf, type Thing } from '../testing/model-api.ts';
import { MutationCache } from './mutation-cache.ts';

const thing = (resourceVersion: string, uid = 'one', name = 'a') => thingOf(name, { uid, resourceVersion });

let cache: MutationCache<Thing>;
beforeEach(() => {
  cache = new MutationCache<Thing>({ indexes: { all: () => [''] } });
  list([], '10');
});

function list(objects: Thing[], version: string): Set<string> {
  cache.beginList();
  return listed(objects, version);
}

function listed(objects: Thing[], version: string): Set<string> {
  cache.addListed(objects);
  return cache.endList(version);
}

/** Handles an event as the informer does. */
function event(type: 'changed' | 'deleted', object: Thing): boolean {
  cache.advance(object.metadata.resourceVersion);
  return type === 'deleted' ? cache.remove(object) : cache.put(object);
}

/** Version and uid of what the cache shows. */
function shown(): string | undefined {
  const known = cache.get('default', 'a')?.metadata;
  return known && `${known.resourceVersion} ${known.uid}`;
}

describe('A write by this process', () => {
  it('is shown and counted before its event, which then changes nothing', () => {
    expect(cache.mutated(thing('11'))).toBe(true);
    expect(shown()).toBe('11 one');
    expect(cache.countByIndex('all', '')).toBe(1);
    expect(event('changed', thing('11'))).toBe(false);
    expect(cache.countByIndex('all', '')).toBe(1);
  });

  it('is not replaced by older events', () => {
    event('changed', thing('11'));
    cache.mutated(thing('14'));
    expect(event('changed', thing('12'))).toBe(false);
    expect(shown()).toBe('14 one');
    expect(event('changed', thing('15'))).toBe(true);
    expect(shown()).toBe('15 one');
  });

  it('does not come back when its response arrives after its deletion events', () => {
    event('changed', thing('11'));
    event('deleted', thing('12'));
    expect(cache.mutated(thing('11'))).toBe(false);
    expect(shown()).toBeUndefined();
  });

  it('survives a list that started before it', () => {
    cache.beginList();
    cache.mutated(thing('13'));
    expect(listed([thing('12', 'two', 'b')], '12')).toEqual(new Set(['default/a', 'default/b']));
    expect(shown()).toBe('13 one');
  });

  it('is shown while a list that contains an older version is stored', () => {
    cache.beginList();
    cache.mutated(thing('13'));
    cache.addListed([thing('12')]);
    expect(shown()).toBe('13 one');
    cache.endList('12');
    expect(shown()).toBe('13 one');
  });

  it('yields to a list that started after it, even from an API server restored from a backup', () => {
    cache.mutated(thing('13'));
    list([], '5');
    expect(shown()).toBeUndefined();
    cache.mutated(thing('6', 'two'));
    expect(shown()).toBe('6 two');
  });

  it('yields to a list that already shows its deletion', () => {
    cache.beginList();
    cache.mutated(thing('11'));
    listed([], '12');
    expect(shown()).toBeUndefined();
  });
});

describe('A deletion by this process', () => {
  it('hides the object immediately, and from every earlier event', () => {
    event('changed', thing('11'));
    expect(cache.deleted(thing('11'))).toBe(true);
    expect(event('changed', thing('12'))).toBe(false);
    expect(shown()).toBeUndefined();
    event('deleted', thing('13'));
    expect(shown()).toBeUndefined();
  });

  it('hides an object whose creation the cache has not seen', () => {
    cache.deleted(thing('12'));
    expect(event('changed', thing('12'))).toBe(false);
    expect(shown()).toBeUndefined();
  });

  it('hides the object from a list that started before it', () => {
    event('changed', thing('11'));
    cache.beginList();
    cache.deleted(thing('11'));
    listed([thing('11')], '12');
    expect(shown()).toBeUndefined();
    expect(event('changed', thing('13'))).toBe(false);
    expect(shown()).toBeUndefined();
  });

  it('hides an object from events after a list that is older than the object', () => {
    cache.beginList();
    cache.deleted(thing('14'));
    listed([], '12');
    event('changed', thing('14'));
    expect(shown()).toBeUndefined();
  });

  it('does not hide a new object with the same name', () => {
    event('changed', thing('11'));
    cache.deleted(thing('11'));
    cache.mutated(thing('13', 'two'));
    event('deleted', thing('12'));
    expect(shown()).toBe('13 two');
  });
});
