/** Returns the path for polling the status of a document, below the base URL (interface, "Endpoints"). */
export function documentStatusPath(id: string): string {
  return `/v1/generate/${id}`;
}

/** Returns the path of a document's file, below the base URL. */
export function documentFilePath(id: string): string {
  return `${documentStatusPath(id)}/download`;
}

/** Returns the path for polling the status of a batch, below the base URL. */
export function batchStatusPath(id: string): string {
  return `/v1/generate/batch/${id}`;
}
