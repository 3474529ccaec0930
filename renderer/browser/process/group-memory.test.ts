import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { groupMemoryBytes } from './group-memory.ts';

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
