import { describe, expect, it } from 'vitest';
import { SharedReads } from './shared-reads.ts';

/** Reads that end when the test ends them. */
function slowReads() {
  const begun: { key: string; end: (value: number | Error) => void }[] = [];
  const reads = new SharedReads<number>((key) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    begun.push({ key, end: (value) => (value instanceof Error ? reject(value) : resolve(value)) });
    return promise;
  });
  return { reads, begun };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('SharedReads', () => {
  it('runs one read at a time, and one more for all callers that arrive meanwhile', async () => {
    const { reads, begun } = slowReads();
    const first = reads.read('acme');
    const later = [reads.read('acme'), reads.read('acme'), reads.read('acme')];
    await turns();
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await first).toBe(1);
    await turns();
    expect(begun).toHaveLength(2);
    begun[1]?.end(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    const last = reads.read('acme');
    begun[2]?.end(3);
    expect(await last).toBe(3);
  });

  it('does not wait for the read of another key', async () => {
    const { reads, begun } = slowReads();
    void reads.read('acme');
    const other = reads.read('other');
    expect(begun.map(({ key }) => key)).toEqual(['acme', 'other']);
    begun[1]?.end(7);
    expect(await other).toBe(7);
  });

  it('fails only the callers of the read that fails', async () => {
    const { reads, begun } = slowReads();
    const first = reads.read('acme');
    const second = reads.read('acme');
    begun[0]?.end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turns();
    begun[1]?.end(2);
    expect(await second).toBe(2);
  });
});
