import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from './installation.ts';

/**
 * Prints for each process: its command, whether other processes of the user can read its environment, its memory and its
 * files, and which settings of ours its environment has. Leaves out the processes of this script.
 */
const LOOK = `
  for process in /proc/[0-9]*; do
    [ "$(cut -d ' ' -f 6 "$process/stat" 2>/dev/null)" != "$(cut -d ' ' -f 6 /proc/$$/stat)" ] || continue
    command=$(tr '\\0' ' ' <"$process/cmdline" 2>/dev/null)
    [ -n "$command" ] || continue
    environment=$(cat "$process/environ" 2>/dev/null | tr '\\0' '\\n' | cut -d = -f 1 | grep -E '^(TRIFOLD|AWS|REDIS)' | tr '\\n' ' ')
    readable=
    for part in environ maps mem; do head -c 0 "$process/$part" 2>/dev/null && readable="$readable $part"; done
    ls "$process/fd" >/dev/null 2>&1 && readable="$readable fd"
    printf '%s|%s|%s\\n' "$command" "$readable" "$environment"
  done`;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.connect();
});
afterAll(() => installation?.close());

interface Seen {
  readonly command: string;
  /** Parts of it that another process of its user can read. */
  readonly readable: readonly string[];
  /** Names of settings in its environment that another process of its user can read. */
  readonly settings: readonly string[];
}

const words = (text = '') => text.split(' ').filter(Boolean);

/** Returns what a process in the pod, with the pod's user, sees of the others. */
async function processesOf(pod: string): Promise<Seen[]> {
  const lines = (await installation.ours('exec', pod, '--', 'bash', '-c', LOOK)).trim().split('\n');
  return lines.map((line) => {
    const [command = '', readable, settings] = line.split('|');
    return { command, readable: words(readable), settings: words(settings) };
  });
}

describe('A process in a pod', () => {
  it('can read neither environment nor memory nor files of the service and of its child processes', async () => {
    const { id } = await installation.live.createTemplate({ html: '<p>{{name}}</p>' });
    // Starts a merge process in a renderer.
    await installation.live.document(id, { name: 'Ada' });
    const seen = await Promise.all(
      (['gateway', 'controller', 'renderer'] as const).map(async (component) => {
        const pods = await installation.pods(component);
        const processes = (await Promise.all(pods.map(({ name }) => processesOf(name)))).flat();
        const services = processes.filter(({ command }) => /^(\S*tini|\S*node) /.test(command));
        expect(services.map(({ command }) => command)).toContain(`node ${ENTRIES[component]} `);
        return services;
      }),
    );
    const services = seen.flat();
    expect(services.filter(({ command }) => command.includes('merge-process.ts')).length).toBeGreaterThan(0);
    expect(services.filter(({ readable }) => readable.length > 0)).toEqual([]);
  });

  it('can read the environment of browsers, which has no settings', async () => {
    const [renderer] = await installation.pods('renderer');
    const processes = await processesOf(renderer!.name);
    const browsers = processes.filter(({ command }) => command.includes('--user-data-dir='));
    expect(browsers.some(({ readable }) => readable.includes('environ'))).toBe(true);
    expect(browsers.flatMap(({ settings }) => settings)).toEqual([]);
  });
});

const ENTRIES = {
  gateway: 'api-gateway/main.ts',
  controller: 'controller/main.ts',
  renderer: 'renderer/main.ts',
} as const;
