/**
 * Returns a PDF of the kind that Chromium writes, from handwritten objects, numbered from 1. The trailer needs a /Root.
 */
export function handmadePdf(objects: readonly string[], trailer = '/Root 1 0 R'): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<</Size ${size}\n${trailer}>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Returns an uncompressed stream. */
export function streamOf(content: string): string {
  return `<</Length ${content.length}>> stream\n${content}\nendstream`;
}
