/** Hands a file to the browser, as a download does. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own reference.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
