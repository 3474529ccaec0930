import { canonicalJson, sha256Hex } from '@trifold/platform/templates/canonical-json.ts';
import type { Caller } from '../authentication/caller.ts';
import { documentOf, type StoredDocument } from '../generation/documents.ts';
import type { GenerateBody } from '../generation/generate-body.ts';
import type { AcceptedJob, JobAcceptor } from '../generation/job-acceptor.ts';
import {
  generateAndWait,
  waitForEnd,
  type Patience,
  type SynchronousServices,
} from '../generation/outcome.ts';
import { requestOnce } from './request-once.ts';
import type { RequestRecords } from './request-records.ts';

/** What it takes to make a document and to find it again. */
export interface GenerationServices extends SynchronousServices {
  readonly acceptor: JobAcceptor;
  readonly requests: RequestRecords;
}

/** A request to generate, whose shape is right. */
export interface GenerationRequest {
  readonly caller: Caller;
  readonly body: GenerateBody;
  /** How the caller waits for the document; undefined: not at all (`async`). */
  readonly patience: Patience | undefined;
}

/** What a request led to. */
export interface GenerationOutcome {
  readonly document: StoredDocument;
  /** Whether the same request, with the same Idempotency-Key, was sent before. */
  readonly replayed: boolean;
}

const ROUTE = 'POST /v1/generate';

/** Generates a document, whether or not the same was asked for before. */
export async function generate(
  services: GenerationServices,
  request: GenerationRequest,
): Promise<StoredDocument> {
  return run(services, await services.acceptor.accept(request.caller, request.body), request);
}

/**
 * Generates a document once, however often and wherever the request is sent with the same Idempotency-Key: every
 * sending answers the same document. Throws ApiError `idempotency_key_reused` for another body.
 */
export async function generateOnce(
  services: GenerationServices,
  request: GenerationRequest,
  key: string,
): Promise<GenerationOutcome> {
  const { caller, body } = request;
  const { account, keyId } = caller;
  const { made, found, replayed } = await requestOnce(
    services.requests,
    // Before the defaults of the template's schema are put into the data.
    { identity: { account, keyId, route: ROUTE, key }, bodySha256: sha256Hex(canonicalJson(body)) },
    {
      accept: async (earlierId) => services.acceptor.accept(caller, body, earlierId),
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
