import { spawn } from 'node:child_process';
import fs, { type NoParamCallback } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { TEMPLATE } from '@trifold/crds';
import { eventually } from '@trifold/test-support/eventually.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestPlane, templateDraft } from '../testing/plane.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

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

it('A control plane killed during writes has every acknowledged write after a restart and accepts new writes', async () => {
  const directory = testDirectory();
  const file = path.join(directory, 'plane.db');
  const answered: string[] = [];
  for (let round = 0; round < 3; round += 1)
    answered.push(...(await writeUntilKilled(file, round, 50 + 25 * round)));
  const { plane, client } = await openTestPlane(file);
  const { items, resourceVersion } = await client.resource(TEMPLATE).list();
  const stored = new Map(items.map((item) => [item.metadata.name, item]));
  expect(answered.length).toBeGreaterThanOrEqual(225);
  for (const name of answered) expect(stored.get(name)?.status).toEqual({ version: 1 });
  // Each killed round adds at most its one in-flight write.
  expect(items.length - answered.length).toBeLessThanOrEqual(3);
  const versions = items.map((item) => Number(item.metadata.resourceVersion));
  expect(new Set(versions).size).toBe(items.length);
  expect(Math.max(...versions)).toBeLessThanOrEqual(Number(resourceVersion));
  await plane.close();
});

describe('A control plane that survives power cuts', () => {
  /** Opens a control plane with an open watch. From then on, a disk sync completes only when the test lets it. */
  async function openOnSlowDisk() {
    const directory = testDirectory();
    const disk = vi.spyOn(fs, 'fdatasync');
    const test = await openTestPlane(path.join(directory, 'plane.db'), new FakeClock(), 'power');
    onTestFinished(async () => {
      disk.mockRestore();
      await test.plane.close();
    });
    const watch = await test.watchTemplates({});
    const syncs: NoParamCallback[] = [];
    disk.mockImplementation((_, callback) => void syncs.push(callback));
    return { templates: test.client.resource(TEMPLATE), watch, syncs };
  }

  it('sends no response or event that shows a write before that write is on disk', async () => {
    const { templates, watch, syncs } = await openOnSlowDisk();
    const event = watch.next();
    const created = templates.create(templateDraft('a'));
    await eventually(() => expect(syncs).toHaveLength(1));
    const conflict = templates.create(templateDraft('a')).catch((error: unknown) => error);
    const responses = [event, created, conflict, templates.get('default', 'a'), templates.list()];
    let answered = 0;
    for (const response of responses) void response.then(() => (answered += 1));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(answered).toBe(0);
    syncs.shift()?.(null);
    const object = expect.objectContaining({ kind: 'Template' });
    expect(await Promise.all(responses)).toEqual([
      expect.objectContaining({ type: 'ADDED', object }),
      object,
      expect.objectContaining({ code: 409 }),
      object,
      expect.objectContaining({ items: [object] }),
    ]);
    expect(syncs).toEqual([]);
  });

  it('sends no more responses after the disk has failed', async () => {
    const { templates, watch, syncs } = await openOnSlowDisk();
    const calls = [templates.create(templateDraft('a')), watch.next()];
    for (const call of calls) call.catch(() => undefined);
    await eventually(() => expect(syncs).toHaveLength(1));
    syncs.shift()?.(new Error('EIO: i/o error'));
    calls.push(templates.create(templateDraft('b')), templates.get('default', 'a'));
    for (const call of calls) await expect(call).rejects.toThrow('EIO');
    expect(syncs).toEqual([]);
  });
});
