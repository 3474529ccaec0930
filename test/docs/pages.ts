import { glob, readFile } from 'node:fs/promises';

/** Root of the repository. */
export const ROOT = new URL('../../', import.meta.url);

/** Pages with kubectl commands, in the order a test runs them. */
export const KUBECTL_PAGES = [
  'docs/platform-engineers.md',
  'docs/how-to/kubectl-queries.md',
  'docs/how-to/kubernetes-roles.md',
];

/** Returns the content of a file in the repository. */
export function page(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8');
}

/** Returns the matching paths, except tests. */
export async function filesOf(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    if (!file.endsWith('.test.ts')) found.push(file);
  }
  return found.sort();
}

/** Returns the concatenated source of the matching files, except tests. */
export async function source(pattern: string): Promise<string> {
  const files = await filesOf(pattern);
  return (await Promise.all(files.map(page))).join('\n');
}

/** Returns the inline code on a page, without code blocks. */
export function quoted(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map((match) => String(match[1]));
}

/** Returns the page without its code blocks. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}

/** Returns a language's code blocks, without their indentation. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter((match) => match[2] === language)
    .map(([, indent = '', , code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** Returns the text below a heading, up to the next one of any level, without code blocks. */
export function section(text: string, heading: string): string {
  const [, after] = withoutBlocks(text).split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (after === undefined) throw new Error(`there is no heading "${heading}"`);
  return String(after.split(/^#+ /m)[0]);
}
