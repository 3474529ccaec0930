import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { K3sContainer, type StartedK3sContainer } from '@testcontainers/k3s';
import { getContainerRuntimeClient } from 'testcontainers';
import { findKubectl, Kubectl } from './kubectl.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

/** The same version as the tests' kubectl and the stand-in node. */
const DEFAULT_K3S_IMAGE = 'rancher/k3s:v1.34.3-k3s1';
/** Published by the container, so that the machine can reach a Service of type NodePort with this port. */
export const NODE_PORT = 30080;
const LOG_CHARACTERS = 20_000;
/** Timeout for a node to terminate its pods, in milliseconds. */
const STOP_MS = 15_000;

/** Marks the containers of one run of .ci/cluster-machine, which removes leftover ones. */
const RUN_LABEL = 'dev.trifold.test-run';

export interface Cluster {
  /** Path of a kubeconfig file with full access. */
  readonly kubeconfig: string;
  /** A kubectl for this cluster. */
  readonly kubectl: Kubectl;
  /**
   * Loads images into the node, by their names in the machine's container engine. An external cluster
   * (TRIFOLD_TEST_CLUSTER_KUBECONFIG) pulls its images itself, so this does nothing.
   */
  loadImages(images: readonly string[]): Promise<void>;
  /** URL of a Service with nodePort {@link NODE_PORT}, served by its current pods. */
  nodePortUrl(): Promise<string>;
  /** Returns diagnostics for a failed test: pods, events, and the end of each pod's log. */
  describe(): Promise<string>;
  /** Removes the cluster, unless it is external. */
  stop(): Promise<void>;
}

/**
 * Starts a cluster with a node that runs pods: an external one whose kubeconfig TRIFOLD_TEST_CLUSTER_KUBECONFIG names,
 * or else k3s in a container from the image in TRIFOLD_K3S_IMAGE. Rejects if neither is set.
 *
 * @throws Error with the end of the node's log when it does not start.
 */
export async function startCluster(env = process.env): Promise<Cluster> {
  const program = await requireKubectl(env);
  const given = env['TRIFOLD_TEST_CLUSTER_KUBECONFIG'];
  return given ? givenCluster(program, given) : k3sCluster(program, env);
}

/** Returns the names of our images as printed by .ci/cluster-images, from TRIFOLD_TEST_IMAGES. */
export function builtImages(env = process.env): string[] {
  const names = imageNames(env['TRIFOLD_TEST_IMAGES']);
  if (names.length === 0) throw new Error('set TRIFOLD_TEST_IMAGES to what .ci/cluster-images prints');
  return names;
}

/** Splits a variable that holds image names separated by spaces. */
export function imageNames(value = ''): string[] {
  return value.split(/\s+/).filter(Boolean);
}

/** Address of a started cluster for another process: the argument of {@link connectCluster}. */
export interface ClusterAddress {
  readonly kubeconfig: string;
  readonly nodePortUrl: string;
}

/** Connects to a cluster that another process owns: loading images and stopping do nothing. */
export async function connectCluster(address: ClusterAddress, env = process.env): Promise<Cluster> {
  const program = await requireKubectl(env);
  const kubectl = await Kubectl.make(program, await readFile(address.kubeconfig, 'utf8'));
  return {
    kubeconfig: address.kubeconfig,
    kubectl,
    describe: () => describeCluster(kubectl),
    loadImages: async () => {},
    nodePortUrl: async () => address.nodePortUrl,
    stop: () => kubectl.remove(),
  };
}

async function givenCluster(program: string, kubeconfig: string): Promise<Cluster> {
  const kubectl = await Kubectl.make(program, await readFile(kubeconfig, 'utf8'));
  try {
    const address = '{.items[0].status.addresses[?(@.type=="InternalIP")].address}';
    const host = await kubectl.ok(['get', 'nodes', `--output=jsonpath=${address}`]);
    return await connectCluster({ kubeconfig, nodePortUrl: `http://${host}:${NODE_PORT}` });
  } finally {
    await kubectl.remove();
  }
}

async function requireKubectl(env: NodeJS.ProcessEnv): Promise<string> {
  const program = await findKubectl(env);
  if (!program)
    throw new Error('the cluster tests need kubectl: set TRIFOLD_TEST_KUBECTL (see docs/testing.md)');
  return program;
}

async function k3sCluster(program: string, env: NodeJS.ProcessEnv): Promise<Cluster> {
  const container = await startNode(env);
  const kubectl = await Kubectl.make(program, container.getKubeConfig());
  const kubeconfig = await kubectl.file('cluster.yaml', container.getKubeConfig());
  return {
    kubeconfig,
    kubectl,
    describe: () => describeCluster(kubectl),
    loadImages: (images) => loadImages(container, images),
    nodePortUrl: async () => `http://${container.getHost()}:${container.getMappedPort(NODE_PORT)}`,
    stop: async () => {
      await container.stop({ timeout: STOP_MS });
      await kubectl.remove();
    },
  };
}

async function startNode(env: NodeJS.ProcessEnv): Promise<StartedK3sContainer> {
  const image = env['TRIFOLD_K3S_IMAGE'] ?? DEFAULT_K3S_IMAGE;
  let log = '';
  const node = new K3sContainer(image)
    .withExposedPorts(NODE_PORT)
    .withLabels({ [RUN_LABEL]: env['TRIFOLD_TEST_RUN'] ?? 'none' })
    .withLogConsumer((stream) => {
      stream.on('data', (piece: Buffer | string) => {
        log = (log + piece.toString()).slice(-LOG_CHARACTERS);
      });
    });
  try {
    return await node.start();
  } catch (cause) {
    const hint = 'Where no image can be pulled, run the command through .ci/cluster-machine.';
    throw new Error(`no cluster from ${image}: ${(cause as Error).message}. ${hint}\n${log}`, { cause });
  }
}

/** Uses a file, because an image archive is too large for memory. */
async function loadImages(container: StartedK3sContainer, images: readonly string[]): Promise<void> {
  if (images.length === 0) return;
  const folder = await temporaryDirectory();
  try {
    const source = join(folder, 'images.tar');
    const target = '/var/lib/trifold-images/images.tar';
    await saveImages(images, source);
    await container.copyFilesToContainer([{ source, target }]);
    const script = `ctr -n k8s.io images import ${target} && rm ${target}`;
    const { exitCode, output } = await container.exec(['sh', '-c', script]);
    if (exitCode !== 0) throw new Error(`the node did not take the images ${images.join(', ')}: ${output}`);
  } finally {
    await removeDirectory(folder);
  }
}

/** Runs `docker save` on the engine found by testcontainers; shared layers are included once. */
async function saveImages(names: readonly string[], file: string): Promise<void> {
  const { container } = await getContainerRuntimeClient();
  const archive = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    container.dockerode.modem.dial(
      {
        path: '/images/get?',
        method: 'GET',
        options: { names },
        isStream: true,
        statusCodes: { 200: true, 404: 'no such image', 500: 'the engine failed' },
      },
      (error, stream) => (error ? reject(error) : resolve(stream as NodeJS.ReadableStream)),
    );
  });
  await pipeline(archive, createWriteStream(file));
}

async function describeCluster(kubectl: Kubectl): Promise<string> {
  const parts: string[] = [];
  const show = async (...args: string[]) => {
    const { stdout, stderr } = await kubectl.run(args);
    parts.push(`$ kubectl ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  await show('get', 'pods,services,jobs,persistentvolumeclaims', '--all-namespaces', '--output=wide');
  await show('get', 'events', '--all-namespaces', '--sort-by=.lastTimestamp');
  const names = '{range .items[*]}{.metadata.namespace} {.metadata.name}{"\\n"}{end}';
  const list = await kubectl.run(['get', 'pods', '--all-namespaces', `--output=jsonpath=${names}`]);
  for (const line of list.stdout.split('\n').filter(Boolean)) {
    const [namespace = '', pod = ''] = line.split(' ');
    await show('logs', '--namespace', namespace, pod, '--all-containers', '--tail=60');
  }
  return parts.join('\n');
}
