/** Returns the number of bytes that a base64 string encodes. */
export function decodedSize(text: string): number {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  return (text.length / 4) * 3 - padding;
}

/** Decodes base64 (RFC 4648, section 4). Returns undefined for anything else. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node.js skips other characters, and also decodes the URL-safe form.
  const isBase64 = text.length % 4 === 0 && bytes.length === decodedSize(text) && !/[-_]/.test(text);
  return isBase64 ? bytes : undefined;
}
