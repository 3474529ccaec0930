import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttackersView } from './attackers-view.ts';
import { Installation } from './installation.ts';

/** Namespace of the DaemonSet, which may mount a directory on the node. */
const NODES = 'node-profiles';
/** Timeout for an upgrade, which takes minutes on a busy node. */
const UPGRADE = 400_000;

const installation = await Installation.connect();
beforeAll(async () => {
  await installation.kubectl.ok(['create', 'namespace', NODES]);
  const before = await installation.pods('renderer');
  await installation.upgrade({
    renderer: { sandbox: { enabled: true, installProfile: { enabled: true, namespace: NODES } } },
  });
  await installation.gone(before);
  // A pod that starts before the node has the profile tries again later.
  await installation.readyPods('renderer', before.length);
}, UPGRADE);
afterAll(async () => {
  const before = await installation.pods('renderer');
  await installation.upgrade({});
  await installation.gone(before);
  await installation.kubectl.ok(['delete', 'namespace', NODES, '--wait=false']);
}, UPGRADE);

const amongBrowsers = async (script: string) => {
  const [renderer] = await installation.pods('renderer');
  return installation.ours('exec', renderer!.name, '--container=browser', '--', 'bash', '-c', script);
};

describe('The chart seccomp profile', () => {
  it('lets browsers print in their sandbox: user and process namespaces, and a separate filter', async () => {
    const { id } = await installation.live.createTemplate({ html: '<p>{{name}}</p>' });
    expect((await installation.live.document(id, { name: 'Ada' })).subarray(0, 5).toString()).toBe('%PDF-');
    // The browser's page renderers; the browser is ready, so there is at least one.
    const pages = await amongBrowsers(`
      for process in /proc/[0-9]*; do
        tr '\\0' ' ' <"$process/cmdline" 2>/dev/null | grep -q -e ' [-]-type=renderer ' || continue
        echo "$(grep -E '^(NSpid|Seccomp|Seccomp_filters):' "$process/status" | tr -s '\\n\\t' ' ') users $(wc -l <"$process/uid_map")"
      done`);
    const own = /Seccomp_filters:\s(\d+)/.exec(await amongBrowsers('cat /proc/self/status'))?.[1];
    const found = pages.trim().split('\n');
    for (const page of found) {
      const [, pids = '', filters] = /^NSpid: ([\d ]+)Seccomp: 2 Seccomp_filters: (\d+) /.exec(page) ?? [];
      expect(pids.trim().split(' ').length, page).toBeGreaterThan(1);
      expect(Number(filters), page).toBeGreaterThan(Number(own));
    }
  });

  it('allows new user namespaces, but nothing that they make possible', async () => {
    const can = async (command: string) =>
      (await amongBrowsers(`${command} >/dev/null 2>&1 && echo yes || echo no`)).trim();
    expect(await can('unshare --user true')).toBe('yes');
    for (const kind of ['--mount', '--uts', '--ipc', '--net', '--pid --fork']) {
      const denied = `--user ${kind}`;
      expect(await can(`unshare ${denied} true`), denied).toBe('no');
    }
  });

  it('denies browsers all network access: names, addresses and the ports of their own pod', async () => {
    const view = await AttackersView.prepare(installation);
    try {
      expect(await view.browser()).toMatchObject({
        'Ports of its own pod': '–',
        'Other addresses': '–',
        'DNS queries': '–',
      });
    } finally {
      await view.stop();
    }
  });
});
