import { stringify } from 'yaml';
import type { Kubectl } from '../support/kubernetes/kubectl.ts';

/** Address where clouds serve credentials to their VMs. */
export const METADATA_ADDRESS = '169.254.169.254';

const NAME = 'metadata';
/** Changes the node's addresses with the node's `ip` command. */
const onNode = (verb: string) =>
  `nsenter --target 1 --mount ip address ${verb} ${METADATA_ADDRESS}/32 dev lo`;
const SERVER = `require('http').createServer((_, answer) => answer.end('{}')).listen(80, '${METADATA_ADDRESS}')`;

/**
 * Returns the YAML of a privileged pod that adds a cloud's metadata address to the node and responds there. Only for
 * test nodes.
 */
export function metadataPod(image: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME },
    spec: {
      hostNetwork: true,
      hostPID: true,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'main',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['bash', '-c', `${onNode('replace')} && exec node -e "$0"`, SERVER],
          securityContext: { privileged: true, runAsUser: 0, runAsGroup: 0 },
          readinessProbe: { httpGet: { path: '/', port: 80, host: METADATA_ADDRESS }, periodSeconds: 1 },
        },
      ],
    },
  });
}

/** Removes the address from the node. */
export async function removeMetadata(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.run(['exec', '--namespace', namespace, NAME, '--', 'bash', '-c', onNode('delete')]);
}
