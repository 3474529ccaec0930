import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute, packClient } from '@trifold/test-support/built-client.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';
import { run } from '@trifold/test-support/keys-command.ts';
import { descendantsOf } from '@trifold/test-support/processes/process-tree.ts';
import { REPOSITORY } from '@trifold/test-support/service.ts';
import { blocks, page } from '../docs/pages.ts';

const [, ...OTHER_NODES] = process.env['TRIFOLD_TEST_NODES']?.split(':') ?? [];

/**
 * Manifest and lock file of an outside project, which pin its test runners. To update the lock file, run
 * `npm install --package-lock-only --omit-lockfile-registry-resolved` in this folder.
 */
const TEST_RUNNERS = path.join(REPOSITORY, 'test/standalone/test-runners');

/** The tarballs at their paths in a clone, and the outside project next to it. */
const parent = suiteDirectory();
const clone = path.join(parent, 'trifold');
const project = path.join(parent, 'project');
const built = path.join(clone, 'standalone/dist');
await mkdir(built, { recursive: true });
await mkdir(project);
await execute(REPOSITORY, process.execPath, 'standalone/package/build.ts', '--out', path.join(parent, 'cli'));
await execute(built, 'npm', 'pack', path.join(parent, 'cli'));
for (const workspace of ['typescript', 'testcontainers'] as const) {
  const tarball = await packClient(workspace, parent);
  await rename(tarball, path.join(clone, path.basename(tarball)));
}
for (const file of ['package.json', 'package-lock.json']) {
  await copyFile(path.join(TEST_RUNNERS, file), path.join(project, file));
}

const readme = await page('clients/testcontainers/README.md');
const examples = blocks(readme, 'js');
const commands = blocks(readme, 'sh').filter((command) => !command.startsWith('npm ci'));
const [install = '', ...runners] = commands;
await execute(project, 'bash', '-euc', `${install.trim()} --engine-strict=false`);

/** Runs a program in the project. */
async function runProgram(text: string, node = process.execPath) {
  const file = path.join(project, 'program.mjs');
  await writeFile(file, text);
  return run(node, [file], { cwd: project });
}

/** Starts a program that has started a service. */
function startProgram(name: string, text: string) {
  const file = path.join(project, name);
  const start = `import { startTrifold } from '@trifold/testcontainers';\nconst trifold = await startTrifold();\n`;
  writeFileSync(file, start + text);
  const child = spawn(process.execPath, [file], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** A program that prints the error of `startTrifold`. */
function failingStart(options: string): string {
  return `import { startTrifold } from '@trifold/testcontainers';
    const outcome = await startTrifold(${options}).then(() => 'started', ({ message }) => message);
    console.log(outcome);`;
}

describe('The README of @trifold/testcontainers', () => {
  it.each([process.execPath, ...OTHER_NODES])('has a program that runs on %s', async (node) => {
    expect(await runProgram(String(examples[0]), node)).toEqual({ code: 0, stdout: 'true\n', stderr: '' });
  });

  it('has tests that pass with Vitest, Jest and node:test', async () => {
    expect(examples).toHaveLength(4);
    expect(runners.map((command) => /vitest|jest|node/.exec(command.replace('NODE_', ''))?.[0])).toEqual([
      'vitest',
      'jest',
      'node',
    ]);
    for (const [index, command] of runners.entries()) {
      await writeFile(path.join(project, 'invoice.test.js'), String(examples[index + 1]));
      const { code, stdout, stderr } = await run('bash', ['-euc', command], { cwd: project });
      expect({ code, output: stdout + stderr }).toEqual({
        code: 0,
        output: expect.stringMatching(/1 passed|pass 1\n/) as string,
      });
    }
  });
});

describe('startTrifold', () => {
  it('runs services side by side, each with its data, keys and events', async () => {
    const { code, stdout, stderr } = await runProgram(`
      import { existsSync, writeFileSync } from 'node:fs';
      import { TrifoldClient } from '@trifold/client';
      import { startTrifold } from '@trifold/testcontainers';
      const services = await Promise.all([startTrifold(), startTrifold()]);
      for (const { client, url, keys, webhooks, kubeconfig } of services) {
        await client.documents.generate({ template: { html: 'a' }, data: {} });
        const testClient = new TrifoldClient({ baseUrl: url, apiKey: keys.test });
        await testClient.documents.generate({ template: { html: 'b' }, data: {} });
        for (const _ of [1, 2]) await webhooks.waitFor('document.completed');
        console.log((await client.webhooks.settings.test()).delivered, existsSync(kubeconfig));
      }
      await services[0].client.templates.create({ name: 'Only here', html: 'a' });
      console.log((await services[1].client.templates.page()).data.length);
      await Promise.all(services.map((service) => service.stop()));
      await services[0].stop();
      console.log(services.some(({ kubeconfig }) => existsSync(kubeconfig)));`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'true true\ntrue true\n0\nfalse\n',
      stderr: '',
    });
  });

  it('names a missing browser, a port in use, an invalid setting, and the last output', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const [options, message] of [
      [`{ env: { TRIFOLD_BROWSER: '/none' } }`, 'did not start: TRIFOLD_BROWSER is /none'],
      [`{ env: { TRIFOLD_PORT: '${port}' } }`, `did not start: port ${port} on 127.0.0.1 is already in use`],
      [`{ env: { TRIFOLD_BROWSERS: '0' } }`, 'TRIFOLD_BROWSERS must be'],
      ['{ timeoutMs: 1 }', 'was not ready within 1 ms'],
    ] as const) {
      const { stdout } = await runProgram(failingStart(options));
      expect(stdout).toContain(message);
      expect(stdout).toMatch(/^Trifold .*\nLast output:\n/m);
    }
  });

  it('rejects waitFor when the service crashes', async () => {
    const child = startProgram(
      'crash.mjs',
      `console.log('ready');
      await trifold.webhooks.waitFor('batch.failed', { timeoutMs: 60_000 }).catch(({ message }) => console.log(message));
      await trifold.stop();`,
    );
    await once(child.stdout, 'data');
    const [service] = descendantsOf(Number(child.pid)).filter(({ command }) =>
      command.includes('run-command'),
    );
    process.kill(Number(service?.pid), 'SIGKILL');
    const output = Buffer.concat(await child.stdout.toArray()).toString();
    expect(output).toMatch(/^Trifold ended unexpectedly: SIGKILL\nLast output:\n/);
  });

  it.each([
    ['exits', 'process.exit()'],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`],
    ['reaches its end', ''],
  ])('leaves no process and no data behind when a test process %s without stop', async (_how, end) => {
    const child = startProgram('end.mjs', `console.log(JSON.stringify(trifold)); ${end}`);
    const output = Buffer.concat(await child.stdout.toArray()).toString();
    const { kubeconfig, url } = JSON.parse(output) as { kubeconfig: string; url: string };
    await eventually(() => expect(existsSync(path.dirname(kubeconfig))).toBe(false));
    await expect(fetch(url)).rejects.toThrow();
  });

  it('has declarations that compile in another project', async () => {
    await writeFile(
      path.join(project, 'right.ts'),
      `import { startTrifold, type StartedTrifold } from '@trifold/testcontainers';
       await using trifold: StartedTrifold = await startTrifold({ timeoutMs: 1 });
       const event = await trifold.webhooks.waitFor('batch.completed', { timeoutMs: 1 });
       console.log(event.data.completed + 1, trifold.client.documents);
       // @ts-expect-error -- there is no such event
       await trifold.webhooks.waitFor('batch.gone');
      `,
    );
    const options = '--module nodenext --target es2023 --lib es2023,esnext.disposable --strict --noEmit';
    const types = ['--types', 'node', '--typeRoots', path.join(REPOSITORY, 'node_modules/@types')];
    const tsc = path.join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const args = [tsc, ...options.split(' '), ...types, 'right.ts'];
    expect(await run(process.execPath, args, { cwd: project })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
