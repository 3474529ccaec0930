import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { KeyRepository } from './api-keys/key-repository.ts';
import type { BatchAcceptor } from './work/batches/batch-acceptor.ts';
import type { Batches } from './work/batches/batches.ts';
import type { GatewayConfig } from './config.ts';
import type { EmailCompiler } from './emails/email-compiler.ts';
import type { Documents } from './work/documents/documents.ts';
import type { JobAcceptor } from './work/documents/job-acceptor.ts';
import type { JobFollowers } from './work/documents/job-followers.ts';
import type { JobWaiters } from './work/documents/job-waiters.ts';
import type { RequestRecords } from './server/idempotency/request-records.ts';
import type { SharedCursorSealer } from './server/pagination/cursor-key.ts';
import type { TemplateCache } from './templates/template-cache.ts';
import type { TemplateRepository } from './templates/template-repository.ts';
import type { UsageReader } from './usage/usage-reader.ts';
import type { WebhookServices } from './webhooks/webhook-services.ts';

/** Dependencies of the routes. */
export interface Services extends Omit<WebhookServices, 'log'> {
  readonly config: GatewayConfig;
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly templates: TemplateRepository;
  readonly directory: TemplateCache;
  readonly cursors: SharedCursorSealer;
  readonly apiKeys: KeyRepository;
  readonly documents: Documents;
  readonly emails: EmailCompiler;
  readonly acceptor: JobAcceptor;
  readonly batches: Batches;
  readonly batchAcceptor: BatchAcceptor;
  readonly waiters: JobWaiters;
  readonly followers: JobFollowers;
  readonly requests: RequestRecords;
  readonly usage: UsageReader;
}

/** An application whose handlers get their types from the schemas beside them. */
export type Application = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
