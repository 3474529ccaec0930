/** Where the status of a document is polled, below the base URL (interface, "Endpoints"). */
export function documentStatusPath(id: string): string {
  return `/v1/generate/${id}`;
}

/** Where the file of a document is, below the base URL. */
export function documentFilePath(id: string): string {
  return `${documentStatusPath(id)}/download`;
}

/** Where the status of a batch is polled, below the base URL. */
export function batchStatusPath(id: string): string {
  return `/v1/generate/batch/${id}`;
}
