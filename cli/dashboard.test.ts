import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { trifoldHere } from '@trifold/test-support/keys-command.ts';

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{ name: trifold, cluster: { server: "https://127.0.0.1:1" } }]
contexts: [{ name: trifold, context: { cluster: trifold, user: trifold } }]
users: [{ name: trifold, user: { token: none } }]
current-context: trifold
`;

let data: string;
beforeEach(() => void (data = testDirectory()));

const run = (...words: string[]) => trifoldHere(words);

describe('trifold dashboard', () => {
  it('fails if no service has used the directory', async () => {
    const { code, stdout, stderr } = await run('dashboard', '--data', data);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `trifold: no standalone service is running with the data directory ${data}: start it, or set --data to its directory\n`,
    );
  });

  it('fails if the service has stopped', async () => {
    await writeFile(path.join(data, 'url'), 'http://127.0.0.1:1');
    await writeFile(path.join(data, 'kubeconfig'), KUBECONFIG);
    const { code, stdout, stderr } = await run('dashboard', '--data', data);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`no standalone service is running with the data directory ${data}`);
  });

  it.each([[['--date', '.']], [['--data', '']], [['please']]])('explains the error in %j', async (words) => {
    const { code, stdout, stderr } = await run('dashboard', ...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^trifold: .*\n\nUsage: /);
  });
});
