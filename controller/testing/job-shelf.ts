import type { GenerationJob } from '@trifold/crds';
import { ResourceShelf } from './resource-shelf.ts';

/** GenerationJobs as an API server holds them. */
export class JobShelf extends ResourceShelf<GenerationJob> {}
