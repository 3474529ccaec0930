import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { groupMemoryBytes, pageBytesIn } from './group-memory.ts';

/** An auxiliary vector with these types and values. */
function vector(...entries: [number, number][]): Buffer {
  return Buffer.from(new BigUint64Array(entries.flat().map(BigInt)).buffer);
}

describe('the memory page size', () => {
  it.each([4096, 16_384, 65_536])('is the value that the system reports: %i', (bytes) => {
    expect(pageBytesIn(vector([33, 7], [6, bytes], [0, 0]))).toBe(bytes);
  });

  it('is the usual one when the system reports nothing or only a part', () => {
    expect(pageBytesIn(vector([33, 7], [0, 0]))).toBe(4096);
    expect(pageBytesIn(Buffer.alloc(0))).toBe(4096);
    expect(pageBytesIn(vector([6, 65_536]).subarray(0, 12))).toBe(4096);
  });

  it('matches the page size of this machine', () => {
    const told = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));
    expect(pageBytesIn(readFileSync('/proc/self/auxv'))).toBe(told);
  });
});

describe('the memory of a process group', () => {
  it('sums the private memory of its processes and excludes other groups', async () => {
    const held = 64 * 2 ** 20;
    const script = `const held = Buffer.alloc(${held}, 1); process.stdout.write('ready'); process.stdin.on('end', () => held.at(0)).resume();`;
    const child = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const pid = child.pid as number;
    const [, anonymous] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const bytes = await groupMemoryBytes(pid);
    expect(bytes).toBeGreaterThan(held);
    // The kernel's two counters differ by values that it has not yet added up.
    expect(Math.abs(bytes - Number(anonymous) * 1024)).toBeLessThan(held / 4);
    expect(await groupMemoryBytes(4_194_304)).toBe(0);
  });
});
