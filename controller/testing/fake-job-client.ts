import type { GenerationJob } from '@trifold/crds';
import { FakeResourceClient } from './fake-resource-client.ts';

/** GenerationJobs as an API server holds them. */
export class FakeJobClient extends FakeResourceClient<GenerationJob> {}
