/** URL of a template's editor. */
export function templatePath(id: string): string {
  return `/dashboard/templates/${encodeURIComponent(id)}`;
}

/** URL of a template's history, or of one of its versions. */
export function historyPath(id: string, version?: number): string {
  const query = version === undefined ? '' : `?version=${version}`;
  return `${templatePath(id)}/history${query}`;
}
