/** Saves a file through the browser, as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download holds its own reference.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
