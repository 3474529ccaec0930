/**
 * Returns the file name of a Content-Disposition header: `filename*` takes precedence over `filename` (RFC 6266, RFC
 * 8187). Never contains a path. Undefined if there is none.
 */
export function filenameIn(header: string | null): string | undefined {
  if (header === null) return undefined;
  const name = extendedName(header) ?? quotedName(header) ?? /;\s*filename=([^\s;"]+)/i.exec(header)?.[1];
  return name?.replaceAll(/[/\\]/g, '_');
}

function extendedName(header: string): string | undefined {
  const encoded = /;\s*filename\*=UTF-8''([^\s;]+)/i.exec(header)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function quotedName(header: string): string | undefined {
  return /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
}
