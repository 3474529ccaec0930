import { afterEach, beforeEach, describe } from 'vitest';
import { describeAdding, describeLifecycle, describeFinished } from './conformance/lifecycle-conformance.ts';
import { describeBatch, describeSharing, describePriority } from './conformance/sharing-conformance.ts';
import { describeClosing, describeExclusive } from './conformance/closing-conformance.ts';
import { QueueFixture, type QueueUnderTest } from './conformance/queue-fixture.ts';

/** Requirements for every RenderQueue adapter. `create` is called for each test. */
export function describeRenderQueue(name: string, create: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a render queue`, () => {
    const fixture = new QueueFixture(create);
    beforeEach(() => fixture.begin());
    afterEach(() => fixture.end());

    describeLifecycle(fixture);
    describeAdding(fixture);
    describeSharing(fixture);
    describePriority(fixture);
    describeBatch(fixture);
    describeExclusive(fixture);
    describeFinished(fixture);
    describeClosing(fixture);
  });
}
