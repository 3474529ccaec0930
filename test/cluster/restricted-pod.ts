import { stringify } from 'yaml';

const USER = 10001;
const capabilities = { drop: ['ALL'] };
const DENIED = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities };

export interface RestrictedPod {
  readonly name: string;
  readonly image: string;
  /** Overrides the command of the image. */
  readonly command?: readonly string[];
  /** Additional fields of the container. */
  readonly container?: Readonly<Record<string, unknown>>;
}

/** Returns the YAML of a pod like the chart's: no privileges, and only /tmp (and /dev/shm, in memory) writable. */
export function restrictedPod(pod: RestrictedPod): string {
  const { name, image, command, container = {} } = pod;
  const mounts = [
    { name: 'tmp', mountPath: '/tmp' },
    { name: 'shm', mountPath: '/dev/shm' },
  ];
  const volumes = [
    { name: 'tmp', emptyDir: {} },
    { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } },
  ];
  return stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      restartPolicy: 'Never',
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'main',
          image,
          imagePullPolicy: 'IfNotPresent',
          ...(command ? { command } : {}),
          securityContext: DENIED,
          volumeMounts: mounts,
          ...container,
        },
      ],
      volumes,
    },
  });
}
