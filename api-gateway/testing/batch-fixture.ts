import type { LightMyRequestResponse } from 'fastify';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from './gateway-fixture.ts';
import { ScriptedBatches } from './scripted-batches.ts';

export const ITEMS = [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }, { data: { name: 'Joan' } }];

type Call = Parameters<GatewayFixture['call']>[2];

/** A gateway with a manual clock, and requests for batches of three items. */
export class BatchFixture {
  readonly clock: FakeClock;
  readonly gateway: GatewayFixture;
  readonly controller: ScriptedBatches;
  readonly template_id: string;

  private constructor(clock: FakeClock, gateway: GatewayFixture, template: string) {
    this.clock = clock;
    this.gateway = gateway;
    this.controller = new ScriptedBatches(gateway);
    this.template_id = template;
  }

  /** Starts a gateway for all tests of the file. */
  static async shared(): Promise<BatchFixture> {
    const clock = new FakeClock();
    const gateway = await GatewayFixture.shared({ clock });
    return new BatchFixture(clock, gateway, await gateway.template());
  }

  /** Sends a request for a batch; `members` replace those of its body. */
  async send(members: object = {}, options: Call = {}): Promise<LightMyRequestResponse> {
    const { template_id } = this;
    const body = { template_id, format: 'pdf', items: ITEMS, ...members };
    return this.gateway.call('POST', '/v1/generate/batch', { ...options, body });
  }

  /** Returns the id of an accepted batch. */
  async accepted(members: object = {}): Promise<string> {
    const answer = await this.send(members);
    if (answer.statusCode !== 202) throw new Error(answer.body);
    return answer.json<{ id: string }>().id;
  }

  async read(id: string, key = this.gateway.key): Promise<LightMyRequestResponse> {
    return this.gateway.call('GET', `/v1/generate/batch/${id}`, { key });
  }

  /** Downloads the file of an item. */
  async item(id: string, index: number | string, key = this.gateway.key): Promise<LightMyRequestResponse> {
    return this.gateway.call('GET', `/v1/generate/batch/${id}/items/${index}/download`, { key });
  }

  /** Downloads the files of the batch. */
  async zip(id: string, key = this.gateway.key): Promise<LightMyRequestResponse> {
    return this.gateway.call('GET', `/v1/generate/batch/${id}/download`, { key });
  }
}
