import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks, page } from '../docs/pages.ts';
import { run } from '../support/keys-command.ts';
import {
  inventKeys,
  removeDirectory,
  REPOSITORY,
  ServiceProcess,
  temporaryDirectory,
} from '../support/service.ts';

const tools = process.env['TRIFOLD_TEST_GENERATORS'];
if (!tools) console.warn('skipped: set TRIFOLD_TEST_GENERATORS to the folder that .ci/generators prints');
const PROGRAMS = join(REPOSITORY, 'test/client/generated');

/** A client generator, and a program that uses its client. */
interface Client {
  /** Part of the command in docs/api/generated-clients.md. */
  readonly generator: string;
  /** Path in test/client/generated. */
  readonly program: string;
  /** Compiles the client. */
  readonly check: string;
  /** Runs the program. */
  readonly start: string;
}

// The generated tests and `__exit__` methods do not pass the type checker.
const mypy =
  "python -m mypy --ignore-missing-imports --disable-error-code arg-type --exclude '^trifold/test/' trifold";
const tsc = `node "${REPOSITORY}/node_modules/typescript/bin/tsc" --project .`;
const CLIENTS: readonly Client[] = [
  { generator: '-g python', program: 'openapi_generator.py', check: mypy, start: 'python program.py' },
  {
    generator: '-g go',
    program: 'go/openapi-generator',
    check: 'go vet ./...',
    start: 'go run ./program',
  },
  {
    generator: '-g typescript-fetch',
    program: 'typescript-fetch.ts.txt',
    check: tsc,
    start: 'node built/program.js',
  },
  {
    generator: 'oapi-codegen',
    program: 'go/oapi-codegen',
    check: 'go vet ./...',
    start: 'go run ./program',
  },
  {
    generator: 'openapi-python-client',
    program: 'openapi_python_client.py',
    check: mypy,
    start: 'python program.py',
  },
];

const TS_CONFIG = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    rootDir: '.',
    outDir: 'built',
  },
  include: ['**/*.ts'],
};

describe.skipIf(!tools && !process.env['CI'])('Clients generated from /v1/openapi.json', () => {
  const keys = inventKeys();
  let service: ServiceProcess;
  let template: string;
  let commands: string[];
  beforeAll(async () => {
    service = await new ServiceProcess({ data: await temporaryDirectory(), keys }).ready();
    const schema = { fields: [{ name: 'name', type: 'string', required: true }] };
    ({ id: template } = await service.live.createTemplate({ schema }));
    commands = blocks(await page('docs/api/generated-clients.md'), 'sh');
  });
  afterAll(async () => {
    await service?.stop();
    if (service) await removeDirectory(service.data);
  });

  it.concurrent.each(CLIENTS)(
    'compile and work: $program',
    { timeout: 300_000 },
    async ({ generator, program, check, start }) => {
      const cwd = join(service.data, program.replaceAll('/', '-'));
      await mkdir(cwd);
      const env = {
        ...process.env,
        PATH: `${tools}/python/bin:${tools}:${process.env['PATH']}`,
        GOFLAGS: '-mod=mod',
        TRIFOLD_URL: service.url,
        TRIFOLD_KEY: keys.live,
        TRIFOLD_TEMPLATE: template,
        TRIFOLD_FILE: join(cwd, 'file.pdf'),
      };
      const sh = async (command: string) => {
        const result = await run('bash', ['-euc', command], { cwd, env });
        expect(result.code, `${command}\n${result.stdout}\n${result.stderr}`).toBe(0);
        return result.stdout;
      };
      await cp(join(PROGRAMS, 'go'), cwd, { recursive: true, filter: (path) => !path.endsWith('.go') });
      const isGo = program.startsWith('go/');
      const target = isGo ? 'program' : `program${/\.\w+/.exec(program)?.[0]}`;
      await sh(String(commands.find((command) => command.includes(generator))));
      await cp(join(PROGRAMS, program), join(cwd, target), { recursive: true });
      await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(TS_CONFIG));
      await symlink(join(REPOSITORY, 'node_modules'), join(cwd, 'node_modules'));
      await sh(check);
      const seen = JSON.parse(await sh(start)) as { polled: string };
      expect(seen).toEqual({
        sync: 'completed',
        polled: expect.stringMatching(/^gen-/),
        done: 2,
        items: 2,
        status: 422,
        code: 'data_invalid',
        problem: '/data/name',
      });
      const curl = `curl -sSf "$TRIFOLD_URL/v1/generate/${seen.polled}/download" -H "Authorization: Bearer $TRIFOLD_KEY" -o curl.pdf`;
      await sh(curl);
      expect(await readFile(env.TRIFOLD_FILE)).toEqual(await readFile(join(cwd, 'curl.pdf')));
    },
  );
});
