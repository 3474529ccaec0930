import type { GenerateRequest, Generation } from '@trifold/client';

/** Returns the fields of a request for the same document, apart from its template and data. */
export function repeatedRequest({
  format,
  filename,
  metadata,
  options,
}: Generation): Pick<GenerateRequest, 'format' | 'filename' | 'metadata' | 'options'> {
  return {
    format,
    ...(filename !== undefined && { filename }),
    ...(metadata && { metadata }),
    ...(options && { options }),
  };
}
