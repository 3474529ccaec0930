import { afterEach, beforeEach, describe } from 'vitest';
import { describeAdding } from './conformance/adding-conformance.ts';
import { describeBatch } from './conformance/batch-conformance.ts';
import { describeClosing } from './conformance/closing-conformance.ts';
import { describeExclusive } from './conformance/exclusive-conformance.ts';
import { describeFinished } from './conformance/finished-conformance.ts';
import { describeLifecycle } from './conformance/lifecycle-conformance.ts';
import { QueueWorld, type QueueUnderTest } from './conformance/queue-world.ts';
import { describeSharing } from './conformance/sharing-conformance.ts';

/** What every adapter of RenderQueue must do. `create` is called for each test. */
export function describeRenderQueue(name: string, create: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a render queue`, () => {
    const world = new QueueWorld(create);
    beforeEach(() => world.begin());
    afterEach(() => world.end());

    describeLifecycle(world);
    describeAdding(world);
    describeSharing(world);
    describeBatch(world);
    describeExclusive(world);
    describeFinished(world);
    describeClosing(world);
  });
}
