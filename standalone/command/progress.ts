/** Replaces the line that shows what a long command is doing. Only for terminals: logs would keep every line. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** Removes the progress line, so that another line can be printed. */
export function clearProgress(): void {
  showProgress('');
}

/** Prints a line to standard error in place of the progress line. */
export function say(line: string): void {
  clearProgress();
  process.stderr.write(`${line}\n`);
}
