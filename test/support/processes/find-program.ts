import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the program that a variable names, or the one on PATH; undefined if there is neither. */
export function findProgram(variable: string, name: string, env = process.env): string | undefined {
  const named = env[variable];
  if (named) return named;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
