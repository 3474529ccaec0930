import { encodeFacts, type DocumentFacts } from '@trifold/platform/records/documents/document-facts.ts';
import { WorkError } from './work-error.ts';

/**
 * Metadata of an object is limited to 2 KiB (see the object store's port); the renderer adds its results to the facts.
 */
const LARGEST_FACTS = 1700;

/** Returns the facts as metadata of the file. Throws WorkError when they do not fit. */
export function storableFacts(documentFacts: DocumentFacts): Record<string, string> {
  const facts = encodeFacts(documentFacts);
  const bytes = Object.entries(facts).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= LARGEST_FACTS) return facts;
  const message = `the names of job, template and file are too long together: ${bytes} bytes of ${LARGEST_FACTS}`;
  throw new WorkError('facts_too_large', message);
}
