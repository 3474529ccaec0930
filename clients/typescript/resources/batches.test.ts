import { expect, it } from 'vitest';
import { json, scriptedServer } from '../testing/scripted-server.ts';

const batch = (status: string, completed: number, failed = 0) =>
  json(200, { id: 'bat-1', status, total: 3, completed, failed, items: [] });

it('batches.wait reports each step once, including the last one', async () => {
  const { client } = await scriptedServer([
    batch('pending', 0),
    batch('processing', 0),
    batch('processing', 1),
    batch('processing', 1),
    batch('processing', 1, 1),
    batch('completed', 2, 1),
  ]);
  const steps: string[] = [];
  const end = await client.batches.wait('bat-1', {
    pollMs: 1,
    onProgress: ({ status, completed, failed }) => void steps.push(`${status} ${completed} ${failed}`),
  });
  const processing = ['processing 0 0', 'processing 1 0', 'processing 1 1'];
  expect(steps).toEqual(['pending 0 0', ...processing, 'completed 2 1']);
  expect(end.status).toBe('completed');
});

it.each([0, -1, Infinity, Number.NaN])('batches.wait rejects %d as pollMs', async (pollMs) => {
  const { client, received } = await scriptedServer([batch('processing', 0)]);
  await expect(client.batches.wait('bat-1', { pollMs })).rejects.toThrow(RangeError);
  expect(received).toEqual([]);
});

it('batches.wait waits for onProgress and rejects with its error', async () => {
  const { client, received } = await scriptedServer([batch('processing', 0)]);
  const onProgress = async () => {
    throw new Error('cannot be shown');
  };
  await expect(client.batches.wait('bat-1', { onProgress })).rejects.toThrow('cannot be shown');
  expect(received).toHaveLength(1);
});
