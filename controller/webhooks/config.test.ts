import { expect, it } from 'vitest';
import { loadWebhooksConfig } from './config.ts';

it('loadWebhooksConfig uses the current key before the previous one', () => {
  const [key, previous] = ['n'.repeat(32), 'p'.repeat(32)];
  const environment = { TRIFOLD_WEBHOOK_KEY: key, TRIFOLD_WEBHOOK_PREVIOUS_KEY: previous };
  expect(loadWebhooksConfig(environment).keys).toEqual([key, previous]);
});

it('loadWebhooksConfig allows at most sixteen attempts', () => {
  const load = (count: number) => () =>
    loadWebhooksConfig({ TRIFOLD_WEBHOOK_RETRY_SCHEDULE: Array(count).fill('1s').join(',') });
  expect(load(16)).not.toThrow();
  expect(load(17)).toThrow(/at most 16 durations/);
});
