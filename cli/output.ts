/** Output of a command: results go to `write`, messages to `complain`. */
export interface Output {
  write(text: string): void;
  complain(text: string): void;
}
