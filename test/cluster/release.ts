import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHelm, Helm, type ChartValues } from '../chart/helm.ts';
import { imageNames } from '../support/kubernetes/cluster.ts';

/** Namespace of the release, used only by the tests. */
export const NAMESPACE = 'documents-system';
export const RELEASE = 'trifold';
/** Namespace that the chart's bootstrap creates. */
export const ACCOUNT = 'documents';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CHART = join(REPOSITORY, 'charts/trifold');
/** Helm's timeout for pods, which may include image pulls. */
const WAIT = '--timeout=6m';
const HELM_DEADLINE_MS = 7 * 60_000;

/** The release under test, managed with Helm. */
export class Release {
  readonly #helm: Helm;
  readonly #values: readonly string[];

  private constructor(helm: Helm, values: readonly string[]) {
    this.#helm = helm;
    this.#values = values;
  }

  /**
   * TRIFOLD_TEST_IMAGES names the images; TRIFOLD_TEST_CHART_VALUES names a file with additional values, for a cluster
   * that gets its images from elsewhere.
   */
  static async find(kubeconfig: string, env = process.env): Promise<Release> {
    const program = await findHelm(env);
    if (!program) throw new Error('the cluster tests need helm: set TRIFOLD_TEST_HELM (see docs/testing.md)');
    const images = imageNames(env['TRIFOLD_TEST_IMAGES']).flatMap(imageValues);
    const more = env['TRIFOLD_TEST_CHART_VALUES'];
    return new Release(new Helm(program, kubeconfig, HELM_DEADLINE_MS), [
      '--values',
      join(REPOSITORY, 'test/cluster/values.yaml'),
      ...images.flatMap((value) => ['--set-string', value]),
      ...(more ? ['--values', more] : []),
    ]);
  }

  /** Whether any version is installed. */
  async isInstalled(): Promise<boolean> {
    return (await this.#helm.run(['status', RELEASE, '--namespace', NAMESPACE])).code === 0;
  }

  /** Resolves when every pod is ready and the first key exists. Uses existing namespaces unchanged. */
  async install(change: ChartValues = {}): Promise<void> {
    await this.#send(['install', RELEASE, CHART], change);
  }

  /** Upgrades with the suite's values and `change`. Resolves when every new pod is ready. */
  async upgrade(change: ChartValues): Promise<void> {
    await this.#send(['upgrade', RELEASE, CHART, '--reset-values'], change);
  }

  /** Resolves when all removed objects are gone. */
  async uninstall(): Promise<void> {
    await this.#helm.ok(['uninstall', RELEASE, '--namespace', NAMESPACE, '--wait', WAIT]);
  }

  /** Removes this Helm instance's files. */
  close(): void {
    this.#helm.remove();
  }

  async #send(verb: readonly string[], change: ChartValues): Promise<void> {
    const values = [...this.#values, '--values', '-'];
    await this.#helm.ok([...verb, '--namespace', NAMESPACE, '--wait', WAIT, ...values], change);
  }
}

/** Returns an image such as `localhost/trifold-gateway:0.1.0` as chart values. */
function imageValues(name: string): string[] {
  const [, registry = '', repository = '', tag = ''] = /^([^/]+)\/(.+):([^:]+)$/.exec(name) ?? [];
  if (repository.endsWith('/redis')) return imageOf('redis.bundled', { registry, repository, tag });
  if (repository.endsWith('/minio')) return imageOf('objectStore.bundled', { registry, repository, tag });
  // It is not part of the chart.
  if (repository === 'trifold-rehearsal') return [];
  const [, service = ''] = /^trifold-(gateway|controller|renderer)$/.exec(repository) ?? [];
  if (!service) throw new Error(`the chart does not know this image: ${name}`);
  return imageOf(service, { registry, repository, tag });
}

function imageOf(part: string, image: Readonly<Record<string, string>>): string[] {
  return Object.entries(image).map(([member, value]) => `${part}.image.${member}=${value}`);
}
