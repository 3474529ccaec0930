import { glob, readFile } from 'node:fs/promises';

/** Top of the repository. */
export const ROOT = new URL('../../', import.meta.url);

/** Text of a file of the repository. */
export function page(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8');
}

/** Paths that match, tests left out. */
export async function filesOf(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    if (!file.endsWith('.test.ts')) found.push(file);
  }
  return found.sort();
}

/** Source of what runs, one file after the other. */
export async function source(pattern: string): Promise<string> {
  const files = await filesOf(pattern);
  return (await Promise.all(files.map(page))).join('\n');
}

/** What a page puts between single backticks, blocks of code left out. */
export function quoted(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map((match) => String(match[1]));
}

/** The page without its blocks of code. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** Blocks of code of a language, without what they are indented by. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter((match) => match[2] === language)
    .map(([, indent = '', , code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** What stands below a heading, down to the next one of any level, blocks of code left out. */
export function section(text: string, heading: string): string {
  const [, after] = withoutBlocks(text).split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (after === undefined) throw new Error(`there is no heading "${heading}"`);
  return String(after.split(/^#+ /m)[0]);
}

/** First cells of the rows of the table whose first heading is that. */
export function firstCells(text: string, heading: string): string[] {
  const [, table] = text.split(new RegExp(`^\\| ${heading} +\\|.*\n`, 'm'));
  if (table === undefined) throw new Error(`there is no table that begins with "${heading}"`);
  const rows = /^(?:\|.*\n)+/.exec(table)?.[0].trim().split('\n') ?? [];
  return rows.slice(1).map((row) => String(row.split('|')[1]));
}
