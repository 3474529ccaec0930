import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findHelm, Helm, type ChartValues } from '../chart/helm.ts';
import { imageNames } from '../support/kubernetes/cluster.ts';

/** Namespace of the release, used only by the tests. */
export const NAMESPACE = 'documents-system';
export const RELEASE = 'trifold';
/** Namespace that the chart's bootstrap creates. */
export const ACCOUNT = 'documents';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout of Helm for pods, which may include image pulls. */
const WAIT = '--timeout=6m';
const HELM_DEADLINE_MS = 7 * 60_000;

/** A version of Trifold. */
interface Version {
  /** Folder with its sources. */
  readonly folder: string;
  /** Names of its images. */
  readonly images: readonly string[];
}

/** The release under test, managed with Helm. */
export class Release {
  readonly #helm: Helm;
  readonly #chart: string;
  readonly #values: readonly string[];

  private constructor(helm: Helm, { folder, images }: Version, more: readonly string[]) {
    this.#helm = helm;
    this.#chart = join(folder, 'charts/trifold');
    const ofImages = images.flatMap(imageValues).flatMap((value) => ['--set-string', value]);
    this.#values = ['--values', join(folder, 'test/cluster/values.yaml'), ...ofImages, ...more];
  }

  /**
   * TRIFOLD_TEST_IMAGES names the images; TRIFOLD_TEST_CHART_VALUES names a file with more values, for a cluster that
   * gets its images from elsewhere.
   */
  static find(kubeconfig: string, env = process.env): Promise<Release> {
    const images = imageNames(env['TRIFOLD_TEST_IMAGES']);
    return Release.#of({ folder: REPOSITORY, images }, kubeconfig, env);
  }

  /**
   * The same release at the version before this one, with its own chart and values. TRIFOLD_TEST_PREVIOUS_IMAGES names
   * the images.
   */
  static async findPrevious(kubeconfig: string, env = process.env): Promise<Release> {
    const { stdout } = await promisify(execFile)(join(REPOSITORY, '.ci/previous-release'));
    const images = imageNames(env['TRIFOLD_TEST_PREVIOUS_IMAGES']);
    if (images.length === 0)
      throw new Error('set TRIFOLD_TEST_PREVIOUS_IMAGES to what `.ci/cluster-images --previous` prints');
    return Release.#of({ folder: stdout.trim(), images }, kubeconfig, env);
  }

  static async #of(version: Version, kubeconfig: string, env: NodeJS.ProcessEnv): Promise<Release> {
    const program = await findHelm(env);
    if (!program) throw new Error('the cluster tests need helm: set TRIFOLD_TEST_HELM (see docs/testing.md)');
    const more = env['TRIFOLD_TEST_CHART_VALUES'];
    return new Release(
      new Helm(program, kubeconfig, HELM_DEADLINE_MS),
      version,
      more ? ['--values', more] : [],
    );
  }

  /** Whether some version is installed. */
  async isInstalled(): Promise<boolean> {
    return (await this.#helm.run(['status', RELEASE, '--namespace', NAMESPACE])).code === 0;
  }

  /** Resolves when every pod is ready and the first key exists. Uses existing namespaces unchanged. */
  async install(change: ChartValues = {}): Promise<void> {
    await this.#send(['install', RELEASE, this.#chart], change);
  }

  /** Upgrades with the values of the suite and `change`. Resolves when every new pod is ready. */
  async upgrade(change: ChartValues): Promise<void> {
    await this.#send(['upgrade', RELEASE, this.#chart, '--reset-values'], change);
  }

  /** Resolves when all removed objects are gone. */
  async uninstall(): Promise<void> {
    await this.#helm.ok(['uninstall', RELEASE, '--namespace', NAMESPACE, '--wait', WAIT]);
  }

  /** Removes the files of this helm. */
  close(): void {
    this.#helm.remove();
  }

  async #send(verb: readonly string[], change: ChartValues): Promise<void> {
    const values = [...this.#values, '--values', '-'];
    await this.#helm.ok([...verb, '--namespace', NAMESPACE, '--wait', WAIT, ...values], change);
  }
}

/** Returns an image such as `localhost/trifold-gateway:0.1.0` as values of the chart. */
function imageValues(name: string): string[] {
  const [, registry = '', repository = '', tag = ''] = /^([^/]+)\/(.+):([^:]+)$/.exec(name) ?? [];
  if (repository.endsWith('/redis')) return imageOf('redis.bundled', { registry, repository, tag });
  if (repository.endsWith('/minio')) return imageOf('objectStore.bundled', { registry, repository, tag });
  const [, service = ''] = /^trifold-(gateway|controller|renderer)$/.exec(repository) ?? [];
  if (!service) throw new Error(`the chart does not know this image: ${name}`);
  return imageOf(service, { registry, repository, tag });
}

function imageOf(part: string, image: Readonly<Record<string, string>>): string[] {
  return Object.entries(image).map(([member, value]) => `${part}.image.${member}=${value}`);
}
