import type { FastifyPluginAsync } from 'fastify';
import type { GenerationJob } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { GatewayConfig } from '../config.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import type { TemplateCache } from '../templates/template-cache.ts';
import { RequestRecords } from '../server/idempotency/request-records.ts';
import type { EndpointUrls } from '../webhooks/endpoint-urls.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import { Admission, type AdmissionOptions } from './admission/admission.ts';
import { AttachmentPacker } from './admission/attachment-packer.ts';
import type { UnfinishedDocumentsQuota } from './admission/unfinished-documents-quota.ts';
import { Batches } from './batches/batches.ts';
import { batchRoutes } from './batches/routes.ts';
import { Documents } from './documents/documents.ts';
import { JobFollowers, JobWaiters } from './documents/job-waiters.ts';
import { documentRoutes } from './documents/routes.ts';
import { batchList, documentList } from './lists/work-lists.ts';
import { WorkGenerator } from './work-generator.ts';
import type { Accounts } from './work-repository.ts';

export interface WorkOptions extends AdmissionOptions {
  readonly kubernetes: KubernetesClient;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly config: Pick<
    GatewayConfig,
    'maxBodyBytes' | 'keyBodyBudgetBytes' | 'maxBatchBodyBytes' | 'syncWaitMs' | 'downloadAccess'
  >;
  readonly accounts: Accounts;
  readonly jobQuota: UnfinishedDocumentsQuota;
  readonly storageQuota: StorageQuota;
  /** Validates callback URLs. */
  readonly urls: EndpointUrls;
  /** Jobs with the label value `gateway`. */
  readonly jobs: Informer<GenerationJob>;
  readonly gateway: string;
  readonly templateCache: TemplateCache;
  /** Ends the waits, so that requests return the current state. */
  readonly stopping: AbortSignal;
}

/** Documents and batches. */
export const work: FastifyPluginAsync<WorkOptions> = async (app, options) => {
  const { kubernetes, store, clock, logger, config, urls, stopping } = options;
  const waiters = new JobWaiters(options.jobs, clock);
  const followers = new JobFollowers(kubernetes, clock, logger);
  stopping.addEventListener('abort', () => {
    waiters.cancelAll();
    followers.cancelAll();
  });
  const help = 'Requests waiting for their document.';
  options.metrics.gaugeOf({ name: 'trifold_gateway_waiting_requests', help }, () => waiters.size);
  const { jobQuota, storageQuota } = options;
  const admission = new Admission(options);
  const requests = new RequestRecords(store, clock);
  const parts = { admission, jobQuota, storageQuota, requests, waiters, followers };
  const documents = new Documents(options);
  const batches = new Batches(options);
  const listed = { ...options, index: new WorkIndex(store), templates: options.templateCache };
  const lists = { documents: documentList(listed, options.jobs), batches: batchList(listed) };
  app.addHook('onClose', async () => {
    await Promise.all([lists.documents.stop(), lists.batches.stop()]);
  });
  const shared = { store, config, packer: new AttachmentPacker() };
  const generator = new WorkGenerator(documents, parts);
  await app.register(documentRoutes, { ...shared, generator, documents, list: lists.documents, urls });
  const batchGenerator = new WorkGenerator(batches, parts);
  await app.register(batchRoutes, { ...shared, generator: batchGenerator, batches, list: lists.batches });
};
