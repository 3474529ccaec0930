import { stringify } from 'yaml';

const DENIED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export interface RestrictedPod {
  readonly name: string;
  readonly image: string;
  /** Overrides the command of the image. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Additional members of the container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Persistent volume claim, mounted at /data. */
  readonly claim?: string;
  /** User and group. @default 10001 */
  readonly user?: number;
}

/** Returns the YAML of a pod like those of the chart: no privileges, only /tmp (and /dev/shm, in memory) writable. */
export function restrictedPod(pod: RestrictedPod): string {
  const { name, image, command, env = {}, container = {}, claim, user = 10001 } = pod;
  const mounts = [
    { name: 'tmp', mountPath: '/tmp' },
    { name: 'shm', mountPath: '/dev/shm' },
  ];
  const volumes: object[] = [
    { name: 'tmp', emptyDir: {} },
    { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } },
  ];
  if (claim) {
    mounts.push({ name: 'data', mountPath: '/data' });
    volumes.push({ name: 'data', persistentVolumeClaim: { claimName: claim } });
  }
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
        runAsUser: user,
        runAsGroup: user,
        fsGroup: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'main',
          image,
          imagePullPolicy: 'IfNotPresent',
          ...(command ? { command } : {}),
          env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
          securityContext: DENIED,
          volumeMounts: mounts,
          ...container,
        },
      ],
      volumes,
    },
  });
}
