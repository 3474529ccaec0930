import { CUSTOM_KINDS, TEMPLATE, type Draft, type Template } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbeddedControlPlane } from './control-plane.ts';

const draft = (name: string, spec: object = {}): Draft<Template> => ({
  metadata: { name, namespace: 'default' },
  spec: { displayName: 'A template', html: '<p>{{x}}</p>', ...spec },
});

const clock = new FakeClock();
let plane: EmbeddedControlPlane;
let client: KubernetesClient;

beforeEach(async () => {
  const logger = createLogger({ level: 'silent', name: 'control-plane' });
  plane = await EmbeddedControlPlane.open({ file: ':memory:', kinds: CUSTOM_KINDS, clock, logger });
  client = new KubernetesClient(plane.transport);
});
afterEach(() => plane.close());

it.each([
  ['application/apply-patch+yaml', 'PATCH', 'a', 415],
  ['application/yaml', 'POST', '', 415],
  ['application/json', 'PUT', 'a/scale', 404],
] as const)(
  'The embedded control plane (in-process transport) rejects what it does not support: %s in a %s of templates/%s',
  async (type, method, rest, status) => {
    const path = `${client.resource(TEMPLATE).path('default')}/${rest}`.replace(/\/$/, '');
    const headers = { 'content-type': type };
    await client.resource(TEMPLATE).create(draft('a'));
    expect((await plane.transport.send({ method, path, headers, body: '{}' })).status).toBe(status);
  },
);

it('The embedded control plane (in-process transport) keeps the event loop free while an in-process caller sends requests without a pause', async () => {
  const templates = client.resource(TEMPLATE);
  await templates.create(draft('a'));
  let turns = 0;
  let counting = true;
  const count = () => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  for (let call = 0; call < 320; call += 1) await templates.get('default', 'a');
  counting = false;
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('The embedded control plane (in-process transport) rejects requests after close as an unreachable server would, and can be closed twice', async () => {
  await plane.close();
  await plane.close();
  const unreachable = { code: 0, reason: 'Unreachable' };
  await expect(client.resource(TEMPLATE).get('default', 'a')).rejects.toMatchObject(unreachable);
});
