import { mediaTypeOf, type DocumentFormat } from '@trifold/crds';

/**
 * Whether the caller requests the file itself: the header names its media type and does not prefer JSON. Wildcards mean
 * JSON, the default.
 */
export function wantsFile(accept: string | undefined, format: DocumentFormat): boolean {
  if (accept === undefined) return false;
  const file = qualityOf(accept, mediaTypeOf(format));
  return file > 0 && file >= qualityOf(accept, 'application/json');
}

/**
 * Whether the caller requests JSON instead of the file: the header names JSON and does not prefer the file's media
 * type.
 */
export function prefersJson(accept: string | undefined, format: DocumentFormat): boolean {
  if (accept === undefined) return false;
  const json = qualityOf(accept, 'application/json');
  return json > 0 && json > qualityOf(accept, mediaTypeOf(format));
}

function qualityOf(accept: string, mediaType: string): number {
  for (const range of accept.split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== mediaType) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
