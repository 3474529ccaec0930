import { describe, expect, it } from 'vitest';
import { Installation, type Pod } from './installation.ts';
import { ManyDocuments } from './many-documents.ts';

const MANY = 50;

const installation = await Installation.connect();
const documents = await ManyDocuments.prepare(installation.live);

const services = async (): Promise<Pod[]> =>
  (
    await Promise.all((['gateway', 'controller', 'renderer'] as const).map((one) => installation.pods(one)))
  ).flat();

describe('helm upgrade', () => {
  it('replaces every service pod, serves every request and loses no document', async () => {
    const before = await services();
    const ids = await documents.inFlight(MANY);
    const traffic = documents.traffic(4);
    await installation.upgrade({ logLevel: 'debug' });
    await installation.gone(before);
    await traffic.more(20);
    const { answered } = traffic;
    expect(await traffic.stop(), `besides ${answered} good answers`).toEqual([]);
    console.info(`${answered} requests were answered during the upgrade`);
    await documents.expectAll(ids);
  });

  it('does not lose any accepted document, even if it also replaces the bundled Redis and MinIO', async () => {
    const before = [...(await services()), ...(await stores())];
    const ids = await documents.inFlight(MANY);
    await installation.upgrade({ commonLabels: { 'example.com/rolled': 'yes' } });
    await installation.gone(before.filter(({ name }) => !name.endsWith('-0')));
    const replaced = await stores();
    for (const [index, { created }] of replaced.entries()) {
      expect(created).toBeGreaterThan(before.at(index - replaced.length)!.created);
    }
    await documents.expectAll(ids);
  });

  const stores = async (): Promise<Pod[]> => [
    ...(await installation.pods('redis')),
    ...(await installation.pods('minio')),
  ];
});
