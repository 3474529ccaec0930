import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemResolver } from './resolver.ts';
import { NameServer, TYPE_AAAA } from './testing/name-server.ts';

describe('Resolver', () => {
  let server: NameServer;
  let resolver: SystemResolver;
  beforeEach(async () => {
    server = new NameServer();
    await server.listen();
    resolver = new SystemResolver({ servers: [server.address], timeoutMs: 5000 });
  });
  afterEach(() => server.close());

  it('returns all addresses from the name servers', async () => {
    server.known.set('hooks.example.com', ['192.0.2.1', '192.0.2.2']);
    expect((await resolver.resolve('hooks.example.com')).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  it('does not wait long for the second address family if the first has addresses', async () => {
    const patient = new SystemResolver({ servers: [server.address], timeoutMs: 60_000, otherFamilyMs: 1 });
    server.dropped.add(TYPE_AAAA);
    server.known.set('hooks.example.com', ['192.0.2.1']);
    expect(await patient.resolve('hooks.example.com')).toEqual(['192.0.2.1']);
  });

  it('queries again on each call', async () => {
    server.known.set('hooks.example.com', ['192.0.2.1']);
    expect(await resolver.resolve('hooks.example.com')).toEqual(['192.0.2.1']);
    server.known.set('hooks.example.com', ['127.0.0.1']);
    expect(await resolver.resolve('hooks.example.com')).toEqual(['127.0.0.1']);
  });

  it('resolves localhost without a query', async () => {
    expect(await resolver.resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await resolver.resolve('hooks.localhost')).toEqual(['127.0.0.1', '::1']);
  });

  it('resolves other names while some queries hang', async () => {
    server.known.set('hooks.example.com', ['192.0.2.1']);
    const silent = Array.from({ length: 16 }, (_, index) => `silent${index}.example.com`);
    for (const name of silent) server.known.set(name, 'silent');
    let answered = 0;
    const waiting = silent.map(async (name) => {
      const addresses = await resolver.resolve(name);
      answered += 1;
      return addresses;
    });
    expect(await resolver.resolve('hooks.example.com')).toEqual(['192.0.2.1']);
    expect(answered).toBe(0);
    server.speak(['192.0.2.2']);
    expect(await Promise.all(waiting)).toEqual(silent.map(() => ['192.0.2.2']));
  });
});
