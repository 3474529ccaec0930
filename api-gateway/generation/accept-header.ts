/**
 * Whether the caller asks for the file itself: `application/pdf` by name, and not JSON more than that. Wildcards mean
 * JSON, the service's usual answer.
 */
export function wantsPdf(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const pdf = qualityOf(accept, 'application/pdf');
  return pdf > 0 && pdf >= qualityOf(accept, 'application/json');
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
