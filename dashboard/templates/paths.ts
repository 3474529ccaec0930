/** Address of the editor of a template. */
export function templatePath(id: string): string {
  return `/dashboard/templates/${encodeURIComponent(id)}`;
}

/** Address of the history of a template, or of one of its versions. */
export function historyPath(id: string, version?: number): string {
  const query = version === undefined ? '' : `?version=${version}`;
  return `${templatePath(id)}/history${query}`;
}
