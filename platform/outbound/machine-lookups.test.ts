import { beforeEach, describe, expect, it } from 'vitest';
import { MachineLookups } from './machine-lookups.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** Lookups that end on the test's command. */
const begun: string[] = [];
const ending = new Map<string, PromiseWithResolvers<string[]>>();
let lookups: MachineLookups;

beforeEach(() => {
  begun.length = 0;
  ending.clear();
  lookups = new MachineLookups((hostname) => {
    begun.push(hostname);
    const end = Promise.withResolvers<string[]>();
    ending.set(hostname, end);
    return end.promise;
  });
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}.example`);

describe("The machine's name lookups", () => {
  it('run two at a time and queue the others', async () => {
    const found = names(3).map((name) => lookups.find(name));
    expect(begun).toEqual(['name0.example', 'name1.example']);
    ending.get('name1.example')?.resolve(['192.0.2.1']);
    expect(await found[1]).toEqual(['192.0.2.1']);
    expect(begun).toEqual(['name0.example', 'name1.example', 'name2.example']);
    ending.get('name2.example')?.reject(new Error('ENOTFOUND'));
    await expect(found[2]).rejects.toThrow('ENOTFOUND');
  });

  it('share one lookup between concurrent callers and start a new one afterwards', async () => {
    const found = Array.from({ length: 3 }, () => lookups.find('name.example'));
    ending.get('name.example')?.resolve(['192.0.2.1']);
    expect(await Promise.all(found)).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1']]);
    expect(begun).toEqual(['name.example']);
    void lookups.find('name.example');
    expect(begun).toHaveLength(2);
  });

  it('skip queued names whose callers have aborted', async () => {
    const [first, second, gone, wanted] = names(4);
    const stop = new AbortController();
    const running = [first, second].map((name) => lookups.find(name!));
    const left = lookups.find(gone!, stop.signal);
    const twice = [lookups.find(wanted!, stop.signal), lookups.find(wanted!)];
    stop.abort(new Error('too long'));
    await expect(left).rejects.toThrow('too long');
    await expect(twice[0]).rejects.toThrow('too long');
    ending.get(first!)?.resolve(['192.0.2.1']);
    await running[0];
    expect(begun).toEqual([first, second, wanted]);
    ending.get(wanted!)?.resolve(['192.0.2.2']);
    expect(await twice[1]).toEqual(['192.0.2.2']);
  });

  it('fail while too many are queued and work again afterwards', async () => {
    const stop = new AbortController();
    const waiting = names(2 + 64).map((name) => lookups.find(name, stop.signal));
    await expect(lookups.find('late.example')).rejects.toThrow('too many DNS lookups');
    // A name that is already waiting does not count again.
    void lookups.find('name65.example');
    stop.abort(new Error('too long'));
    await Promise.allSettled(waiting);
    void lookups.find('late.example');
    ending.get('name0.example')?.resolve([]);
    ending.get('name1.example')?.resolve([]);
    await eventually(() =>
      expect(begun).toEqual(['name0.example', 'name1.example', 'name65.example', 'late.example']),
    );
  });
});
