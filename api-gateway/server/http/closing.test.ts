import fastify from 'fastify';
import { Agent, get } from 'node:http';
import { expect, it } from 'vitest';
import { closing } from './closing.ts';

it('connections beyond the limit are closed after their next response', async () => {
  const app = fastify();
  await app.register(closing, { retiring: new AbortController().signal, maxOpen: 1 });
  app.get('/', async () => 'ok');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const connections = [];
  for (const agent of agents) {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.headers.connection));
    }).once('error', reject);
    connections.push(await promise);
  }
  for (const agent of agents) agent.destroy();
  await app.close();
  expect(connections).toEqual(['keep-alive', 'close']);
});
