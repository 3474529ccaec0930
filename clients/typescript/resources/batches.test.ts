import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../index.ts';
import { json, scriptedServer, silence } from '../testing/scripted-server.ts';

const REASON = new Error('enough');

const batch = (status: string, completed: number, failed = 0) =>
  json(200, { id: 'bat-1', status, total: 3, completed, failed, items: [] });

describe('batches.wait', () => {
  it('reports each step once, including the last', async () => {
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
    expect(steps).toEqual([
      'pending 0 0',
      'processing 0 0',
      'processing 1 0',
      'processing 1 1',
      'completed 2 1',
    ]);
    expect(end.status).toBe('completed');
  });

  it('waits for onProgress and rejects with its error', async () => {
    const { client, received } = await scriptedServer([batch('processing', 0)]);
    const onProgress = async () => {
      throw new Error('cannot be shown');
    };
    await expect(client.batches.wait('bat-1', { onProgress })).rejects.toThrow('cannot be shown');
    expect(received).toHaveLength(1);
  });

  it('applies the given timeout to each request', async () => {
    const { client, received } = await scriptedServer([batch('processing', 0), silence]);
    const waiting = client.batches.wait('bat-1', { pollMs: 1, timeoutMs: 2000 });
    await expect(waiting).rejects.toBeInstanceOf(TimeoutError);
    expect(received).toHaveLength(2);
  });

  it('rejects with the reason of the signal', async () => {
    const { client } = await scriptedServer([batch('processing', 0)]);
    const stop = new AbortController();
    const onProgress = () => stop.abort(REASON);
    await expect(client.batches.wait('bat-1', { signal: stop.signal, onProgress })).rejects.toBe(REASON);
  });
});
