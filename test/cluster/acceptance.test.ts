import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../support/keys-command.ts';
import { Installation } from './installation.ts';
import { ACCOUNT } from './release.ts';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.connect();
});
afterAll(() => installation?.close());

it(
  'a cluster installation passes every acceptance test of standalone through its Service',
  { timeout: 900_000 },
  async () => {
    const { live, cluster } = installation;
    const ownOnly = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
    const { code, stdout, stderr } = await run(process.execPath, [VITEST, 'run', '--project', 'acceptance'], {
      env: {
        ...Object.fromEntries(ownOnly),
        TRIFOLD_ACCEPTANCE_URL: live.url,
        TRIFOLD_ACCEPTANCE_LIVE_KEY: live.key,
        TRIFOLD_ACCEPTANCE_TEST_KEY: await installation.newKey('test'),
        TRIFOLD_ACCEPTANCE_KUBECONFIG: cluster.kubeconfig,
        TRIFOLD_ACCEPTANCE_ACCOUNT: ACCOUNT,
        TRIFOLD_ACCEPTANCE_PREVIEWS: 'true',
        NO_COLOR: '1',
      },
    });
    const [summary] = /^\s*Tests .*$/m.exec(stdout) ?? [];
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    console.info(`the acceptance suite in the cluster: ${summary?.trim()}`);
  },
);
