import { readFile, writeFile } from 'node:fs/promises';

const FILE = new URL('recorded.txt', import.meta.url);

/** Returns the outcomes of a kube-apiserver by case, one line or more for each request. */
export async function readRecording(): Promise<Map<string, string>> {
  const blocks = (await readFile(FILE, 'utf8')).trimEnd().split('\n\n');
  return new Map(blocks.map((block) => [block.slice(0, block.indexOf('\n')), block] as const));
}

export async function writeRecording(blocks: Iterable<string>): Promise<void> {
  await writeFile(FILE, `${[...blocks].join('\n\n')}\n`);
}
