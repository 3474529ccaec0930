import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../support/keys-command.ts';
import { Installation } from './installation.ts';
import { ACCOUNT } from './release.ts';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

const installation = await Installation.connect();

/** Runs the standalone service's tests against the installation. Returns their summary. */
async function testInstallation(...words: string[]): Promise<string> {
  const { live, cluster } = installation;
  const ownOnly = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const { code, stdout, stderr } = await run(process.execPath, [VITEST, 'run', ...words], {
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
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  return /^\s*Tests .*$/m.exec(stdout)?.[0].trim() ?? '';
}

it(
  'a cluster installation passes every standalone acceptance test through its Service',
  { timeout: 900_000 },
  async () => {
    const summary = await testInstallation('--project', 'acceptance');
    console.info(`the acceptance suite in the cluster: ${summary}`);
  },
);

it('users can use the dashboard of a cluster installation', { timeout: 300_000 }, async () => {
  const suites = ['dashboard/session', 'dashboard/keys', 'dashboard/templates/preview'];
  const config = ['--config', 'vitest.deep.config.ts', '--project', 'dashboard'];
  const summary = await testInstallation(...config, ...suites);
  console.info(`the dashboard in the cluster: ${summary}`);
});
