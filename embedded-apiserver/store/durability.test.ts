import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TEMPLATE } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { openTestPlane } from '../testing/plane.ts';

const writer = path.join(import.meta.dirname, '../testing/writer-process.ts');

/** Runs the writer until it has confirmed `count` writes, kills it with SIGKILL and returns their names. */
async function writeUntilKilled(file: string, round: number, count: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (piece: string) => {
    text += piece;
    if (text.split('\n').length > count) child.kill('SIGKILL');
  });
  await ended;
  expect(child.signalCode).toBe('SIGKILL');
  return text.split('\n').slice(0, -1);
}

describe('Control plane killed during writes', () => {
  it('has every acknowledged write after it is reopened, and accepts new writes', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'trifold-durability-'));
    const file = path.join(directory, 'plane.db');
    const answered: string[] = [];
    for (let round = 0; round < 3; round += 1)
      answered.push(...(await writeUntilKilled(file, round, 50 + 25 * round)));
    const { plane, client } = await openTestPlane(file);
    const { items, resourceVersion } = await client.resource(TEMPLATE).list();
    const stored = new Map(items.map((item) => [item.metadata.name, item]));
    expect(answered.length).toBeGreaterThanOrEqual(225);
    for (const name of answered) expect(stored.get(name)?.status).toEqual({ version: 1 });
    // At most the one in-flight write of each killed round.
    expect(items.length - answered.length).toBeLessThanOrEqual(3);
    const versions = items.map((item) => Number(item.metadata.resourceVersion));
    expect(new Set(versions).size).toBe(items.length);
    expect(Math.max(...versions)).toBeLessThanOrEqual(Number(resourceVersion));
    await plane.close();
    rmSync(directory, { recursive: true });
  });
});
