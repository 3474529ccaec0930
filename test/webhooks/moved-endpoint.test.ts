import { settingsViewOf } from '@trifold/api-gateway/webhooks/endpoint-view.ts';
import type { WebhookEndpoint } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forEachTest();

const current = () => fixture.endpoints.get('default', 'account');
const readyOf = ({ status }: WebhookEndpoint) => status?.conditions?.find(({ type }) => type === 'Ready');

describe('Endpoint that moved', () => {
  it.each(['while it is watched', 'while no controller runs'])(
    'has no state of its old URL, %s',
    async (when) => {
      fixture.answering(503);
      const service = await fixture.boot({ webhooks: { retrySchedule: [0, 1_000, 1_000] } });
      await fixture.activeEndpoint();
      await fixture.attempted();
      for (let attempt = 2; attempt <= 3; attempt += 1) await fixture.nextDue();
      await eventually(async () => readyOf(await current())?.reason === 'Failing');
      const isWatched = when === 'while it is watched';
      if (!isWatched) await service.stop();
      const moved = async () => {
        const { metadata, spec, ...rest } = await current();
        const url = fixture.receiver.url('/new');
        await fixture.endpoints.replace({ ...rest, metadata, spec: { ...spec, url } });
      };
      await moved();
      if (!isWatched) await fixture.boot();
      const endpoint = await fixture.inForce();
      expect(readyOf(endpoint)).toMatchObject({ status: 'True', reason: 'NotTried' });
      expect(endpoint.status).toMatchObject({ failures: 0 });
      expect(endpoint.status?.failingSince).toBeUndefined();
      expect(settingsViewOf(endpoint)).toMatchObject({
        status: 'active',
        failing_since: null,
        last_delivery: null,
      });
    },
  );
});
