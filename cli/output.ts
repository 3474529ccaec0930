/** Where a command writes: results on one side, what went wrong on the other. */
export interface Output {
  write(text: string): void;
  complain(text: string): void;
}
