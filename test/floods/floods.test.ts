import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import {
  inventKeys,
  removeDirectory,
  REPOSITORY,
  ServiceProcess,
  temporaryDirectory,
} from '../support/service.ts';
import { CONSTANTS, FLOODS, SETTINGS } from './floods.ts';
import { UnreadConnection } from './unread-connection.ts';

let service: ServiceProcess;
let other: Api;
let template: string;

beforeAll(async () => {
  service = await new ServiceProcess({
    data: await temporaryDirectory(),
    keys: inventKeys(),
    environment: SETTINGS,
    constants: CONSTANTS,
  }).ready();
  other = await clientWithNewKey(service.url, service.kubeconfig, { account: 'other' });
  template = (await other.createTemplate({ html: '<p>Hello {{name}}</p>' })).id;
  await work();
});
afterAll(async () => {
  await service.stop();
  await removeDirectory(service.data);
});

/** Sends the other account's requests during each flood. */
async function work(): Promise<void> {
  const data = { name: 'World' };
  const html = '<p>Hello {{name}}</p>';
  const responses = await Promise.all([
    other.post('/v1/generate', { template_id: template, data }),
    other.post('/v1/generate', { template_id: template, data, format: 'png' }),
    other.post('/v1/generate', { template_id: template, data, format: 'docx' }),
    other.post('/v1/templates/preview', { html, data }),
    other.post('/v1/emails/compile', { template: { engine: 'handlebars-html', subject: 'Hi', html }, data }),
    other.get(`/v1/templates/${template}`),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
}

/** Cancels an account's documents, so that the next flood starts with an idle service. */
async function cancelDocuments(api: Api): Promise<void> {
  await eventually(async () => {
    const lists = await Promise.all(
      ['pending', 'processing'].map((status) => api.get(`/v1/generate?limit=100&status=${status}`)),
    );
    const unfinished = lists.flatMap((list) => list.json<{ data: { id: string }[] }>().data);
    await Promise.all(unfinished.map(({ id }) => api.delete(`/v1/generate/${id}`)));
    return unfinished.length === 0;
  });
}

it.each(Object.entries(FLOODS))(
  'Another account works while one account exhausts %s',
  async (_name, flood) => {
    if ('ownedBy' in flood) {
      expect(existsSync(join(REPOSITORY, flood.ownedBy)), flood.ownedBy).toBe(true);
      return;
    }
    const account = `flood-${_name.toLowerCase()}`;
    const flooder = await clientWithNewKey(service.url, service.kubeconfig, { account });
    const requests = await flood.requests(flooder);
    const connections = requests.map((request) => new UnreadConnection(flooder, request));
    const outcomes = () => connections.map(({ outcome }) => outcome ?? 'waits');
    try {
      await eventually(() => expect(outcomes()).toContain(flood.beyond));
      // The first time, some of the flood may still be in flight.
      await work();
      await work();
      expect(outcomes()).toContain(flood.beyond);
    } finally {
      for (const connection of connections) connection.close();
      await cancelDocuments(flooder);
    }
  },
);
