import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { folderWithBuiltClient } from '../support/built-client.ts';
import { run } from '../support/keys-command.ts';
import { REPOSITORY } from '../support/service.ts';

/** Executables of other Node versions, separated by colons. CI sets Node 20 and 22. */
const OTHER_NODES = process.env['TRIFOLD_TEST_NODES']?.split(':') ?? [];

const { folder, packageFolder } = await folderWithBuiltClient();

describe('The TypeScript client package', () => {
  it('has the same exports in JavaScript as in the sources, on this Node and on TRIFOLD_TEST_NODES', async () => {
    const program = join(folder, 'import.mjs');
    await writeFile(program, `console.log(JSON.stringify(Object.keys(await import('@trifold/client'))))`);
    for (const node of [process.execPath, ...OTHER_NODES]) {
      const { code, stdout, stderr } = await run(node, [program], { cwd: folder });
      expect(code, `${node}: ${stderr}`).toBe(0);
      const exported = JSON.parse(stdout) as string[];
      expect(exported.sort()).toEqual(Object.keys(await import('@trifold/client')).sort());
    }
  });

  it('contains JavaScript, declarations, the README and the license, but no sources or tests', async () => {
    const entries = await readdir(packageFolder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const paths = files.map((file) => relative(packageFolder, file));
    const expected = ['LICENSE', 'README.md', 'package.json', 'dist/index.d.ts', 'dist/index.js'];
    expect(paths).toEqual(expect.arrayContaining(expected));
    const others = paths.filter((path) => !expected.includes(path) && !/^dist\/.+(\.js|\.d\.ts)$/.test(path));
    expect(others).toEqual([]);
    expect(paths.filter((path) => /test|build/.test(path))).toEqual([]);
  });

  it('has no dependencies and is publishable', async () => {
    const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ name: '@trifold/client', type: 'module', license: 'Apache-2.0' });
    for (const member of ['dependencies', 'peerDependencies', 'private']) {
      expect(manifest).not.toHaveProperty(member);
    }
  });

  it('has declarations that compile in another project and detect type errors there', async () => {
    await symlink(join(REPOSITORY, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    await symlink(join(REPOSITORY, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'));
    const options = { module: 'nodenext', target: 'es2022', types: ['node'], strict: true, noEmit: true };
    const config = { compilerOptions: options, files: ['right.ts', 'receiver.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(
      join(folder, 'right.ts'),
      `import { TrifoldClient, verifyWebhook, type Generation } from '@trifold/client';
       const client = new TrifoldClient({ baseUrl: 'http://a', apiKey: 'b' });
       const made: Generation = await client.documents.generate({ template_id: 'a', data: {} });
       if (made.status === 'completed') console.log(made.file_url.length, made.file_size + 1);
       for await (const template of client.templates.list({ status: 'draft' })) console.log(template.name.length);
       const event = verifyWebhook({ payload: '', headers: {}, secret: 's' });
       if (event.type === 'batch.progress') console.log(event.data.completed + 1);
       // @ts-expect-error -- only a completed document has a file
       console.log(made.file_url);
       // @ts-expect-error -- there is no such state
       client.templates.page({ status: 'gone' });
       // @ts-expect-error -- a length needs a unit
       client.documents.pdf({ template_id: 'a', data: {}, options: { margins: '12' } });
       // @ts-expect-error -- an email template is saved or inline, not both
       client.emails.compile({ template_id: 'a', data: {}, template: { engine: 'handlebars-html', subject: '', html: '' } });
       export {};
      `,
    );
    await writeFile(join(folder, 'receiver.ts'), blocks(await page('docs/webhooks.md'), 'ts').join('\n'));
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await run(process.execPath, [tsc, '--project', folder]);
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });
});
