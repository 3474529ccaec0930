import { expect, it } from 'vitest';
import { thingOf, type Thing } from '../testing/model-api.ts';
import { ObjectCache } from './object-cache.ts';

const thing = (name: string, uid: string, resourceVersion: string, text = '') =>
  thingOf(name, { uid, resourceVersion, text });

it('ObjectCache removes old index values of an object that is deleted and recreated with different ones', () => {
  const cache = new ObjectCache<Thing>({ text: (object) => [object.spec.text] });
  cache.put(thing('a', 'one', '10', 'red'));
  cache.remove(thing('a', 'one', '11'));
  cache.put(thing('a', 'two', '12', 'blue'));
  expect(cache.byIndex('text', 'red')).toEqual([]);
  expect(cache.byIndex('text', 'blue')).toHaveLength(1);
  expect(cache.countByIndex('text', 'blue')).toBe(1);
  expect(cache.countByIndex('text', 'red')).toBe(0);
  expect(() => cache.byIndex('colours', 'red')).toThrow(/unknown index "colours"/);
});
