import { afterEach, beforeEach, describe } from 'vitest';
import { describeAdding } from './conformance/adding-conformance.ts';
import { describeBatch } from './conformance/batch-conformance.ts';
import { describeClosing } from './conformance/closing-conformance.ts';
import { describeExclusive } from './conformance/exclusive-conformance.ts';
import { describeFinished } from './conformance/finished-conformance.ts';
import { describeLifecycle } from './conformance/lifecycle-conformance.ts';
import { describePriority } from './conformance/priority-conformance.ts';
import { QueueFixture, type QueueUnderTest } from './conformance/queue-fixture.ts';
import { describeSharing } from './conformance/sharing-conformance.ts';

/** Requirements for every adapter of RenderQueue. `create` is called for each test. */
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
