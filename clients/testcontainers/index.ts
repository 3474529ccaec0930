/** Starts the Trifold document service for tests. */
export { startTrifold, type StartedTrifold, type StartOptions } from './start.ts';
export type { WaitForOptions, Webhooks } from './webhook-receiver.ts';
