import { bodyFingerprint } from '@trifold/platform/request-body/body-fingerprint.ts';
import { documentOf, type StoredDocument } from './documents.ts';
import type { AcceptedJob, DocumentRequest, JobAcceptor } from './job-acceptor.ts';
import { generateAndWait, waitForEnd, type Patience, type SynchronousServices } from './outcome.ts';
import type { RequestKey } from '../../server/idempotency/idempotency-key.ts';
import { requestOnce } from '../../server/idempotency/request-once.ts';
import type { RequestRecords } from '../../server/idempotency/request-records.ts';

/** Services that create a document and find it again. */
export interface GenerationServices extends SynchronousServices {
  readonly acceptor: JobAcceptor;
  readonly requests: RequestRecords;
}

/** A generation request whose body has passed schema validation. */
export interface GenerationRequest extends DocumentRequest {
  /** How the caller waits for the document; undefined if it does not wait (`async`). */
  readonly patience: Patience | undefined;
}

/** Result of a generation request. */
export interface GenerationOutcome {
  readonly document: StoredDocument;
  /** Whether the same request with the same Idempotency-Key was handled before. */
  readonly replayed: boolean;
}

const ROUTE = 'POST /v1/generate';

/** Generates a document without checking for an earlier request. */
export async function generate(
  services: GenerationServices,
  request: GenerationRequest,
): Promise<StoredDocument> {
  return run(services, await services.acceptor.accept(request), request);
}

/**
 * Generates at most one document per Idempotency-Key, across retries and gateways: every attempt returns the same
 * document. Throws ApiError `idempotency_key_reused` for a different body.
 */
export async function generateOnce(
  services: GenerationServices,
  request: GenerationRequest,
  { key, fingerprint }: RequestKey,
): Promise<GenerationOutcome> {
  const { account, keyId } = request.caller;
  // Hash before the schema defaults of the template are filled into the data.
  const bodySha256 = fingerprint ?? bodyFingerprint(request.body);
  const { made, found, replayed } = await requestOnce(
    services.requests,
    { identity: { account, keyId, route: ROUTE, key }, bodySha256 },
    {
      accept: async (earlierId) => services.acceptor.accept(request, earlierId),
      create: async (job) => run(services, job, request),
      get: async (id) => services.documents.get(account, id),
      notFound: 'document_not_found',
    },
  );
  const { patience } = request;
  const document = found && patience ? await waitForEnd(services, made, patience) : made;
  return { document, replayed };
}

async function run(
  services: GenerationServices,
  job: AcceptedJob,
  { patience }: GenerationRequest,
): Promise<StoredDocument> {
  return patience ? generateAndWait(services, job, patience) : documentOf(await job.create());
}
