import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { CHART, type ChartValues } from './helm.ts';

const place = {
  podAnnotations: { 'example.com/pod': 'yes', 'checksum/config': 'mine' },
  podLabels: { team: 'documents', 'example.com/owner': 'documents', 'app.kubernetes.io/instance': 'mine' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'documents', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'Exists' }] }],
      },
    },
  },
  priorityClassName: 'system-cluster-critical',
};
const service = {
  ...place,
  extraEnv: [
    { name: 'NODE_OPTIONS', value: '--max-old-space-size=300' },
    { name: 'NODE_EXTRA_CA_CERTS', value: '/fonts/ca.crt' },
  ],
  extraEnvFrom: [{ secretRef: { name: 'proxy' } }],
  extraVolumes: [{ name: 'fonts', configMap: { name: 'fonts' } }],
  extraVolumeMounts: [{ name: 'fonts', mountPath: '/fonts' }],
  podSecurityContext: { supplementalGroups: [5000], fsGroupChangePolicy: 'Always' },
  securityContext: { procMount: 'Default' },
  lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } },
  terminationGracePeriodSeconds: 300,
  topologySpreadConstraints: [
    {
      maxSkew: 2,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: null,
    },
  ],
  podDisruptionBudget: { minAvailable: '50%' },
  annotations: { 'example.com/deployment': 'yes' },
  serviceAccount: { annotations: { 'example.com/role': 'documents' } },
};
const labels = { release: 'prometheus', 'app.kubernetes.io/managed-by': 'Helm' };
const monitoring = {
  serviceMonitor: { enabled: true, labels },
  prometheusRule: { enabled: true, labels },
  grafanaDashboard: { enabled: true },
};
const peer = [{ ipBlock: { cidr: '192.0.2.0/24' } }];

/** All optional features on, with the bundled Redis and MinIO. */
export const EVERYTHING: ChartValues = {
  commonLabels: {
    'example.com/owner': 'platform',
    'app.kubernetes.io/part-of': 'platform',
    'app.kubernetes.io/component': 'mine',
    'trifold.dev/account': 'mine',
  },
  extraObjects: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'fonts' }, data: { html: '{{name}}' } },
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }}-extra }',
  ],
  image: {
    registry: 'registry.example.com/trifold',
    pullPolicy: 'Always',
    pullSecrets: ['registry', 'registry'],
  },
  extraCaCertificates: { configMap: 'company-ca' },
  gateway: {
    ...service,
    config: { rateLimit: '600/1m', prices: { currency: 'EUR', pdf: '0.015', email: '0' } },
    service: { type: 'NodePort', nodePort: 30080, annotations: { 'example.com/service': 'yes' } },
  },
  controller: service,
  renderer: {
    ...service,
    sandbox: { enabled: true, localhostProfile: 'profiles/chromium.json' },
    hostUsers: false,
    runtimeClassName: 'gvisor',
  },
  redis: { bundled: place },
  objectStore: { bundled: place },
  webhooks: { allowAddresses: ['10.96.0.0/12', '10.1.2.3', 'fd00::1'], allowHttp: true },
  dashboard: {
    enabled: true,
    oidc: {
      issuer: 'https://login.example.com:8443/realms/docs',
      clientId: 'trifold',
      existingSecret: 'oidc',
      grants: [{ claim: 'groups', value: 'editors', account: 'documents', scopes: ['templates:read'] }],
      allowUnverifiedEmail: true,
      publicUrl: 'https://documents.example.com',
    },
  },
  bootstrap: { enabled: true, scopes: ['templates:read', 'documents:generate'] },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '20m' },
    hosts: ['documents.example.com'],
    tls: [{ secretName: 'documents-tls', hosts: ['documents.example.com'] }],
  },
  networkPolicy: {
    gatewayFrom: peer,
    metricsFrom: peer,
    dnsTo: peer,
    dnsPorts: [53, 5353],
    extraEgress: { controller: [{ to: peer, ports: [{ port: 3128, protocol: 'TCP' }] }] },
    apiServerTo: peer,
    webhooksAlsoTo: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }],
  },
  monitoring,
};

/** External Redis and object store, KEDA, custom roles. */
export const EXTERNAL: ChartValues = {
  autoscaling: { mode: 'keda' },
  redis: {
    prefix: 'docs',
    bundled: { enabled: false },
    external: { url: 'rediss://redis.example.com:6380/3', username: 'documents', existingSecret: 'redis' },
  },
  objectStore: {
    bundled: { enabled: false },
    external: { endpoint: 'https://s3.example.com', existingSecret: 's3' },
  },
  networkPolicy: { redisTo: peer, objectStoreTo: peer, webhooksTo: peer },
  monitoring,
};

/** The master named by Sentinels. */
export const SENTINEL: ChartValues = {
  ...EXTERNAL,
  redis: {
    bundled: { enabled: false },
    external: {
      url: 'rediss+sentinel://one.example.com,two.example.com:26380/documents/3',
      username: 'documents',
      existingSecret: 'redis',
      sentinelUsername: 'watcher',
      sentinelPasswordKey: 'sentinel',
    },
  },
};

/** A Redis Cluster. */
export const REDIS_CLUSTER: ChartValues = {
  ...EXTERNAL,
  redis: {
    bundled: { enabled: false },
    external: { url: 'redis+cluster://one.example.com:7000,two.example.com' },
  },
};

/** An object store without keys: the services use the workload identity of their service accounts. */
export const WORKLOAD_IDENTITY: ChartValues = {
  ...Object.fromEntries(
    ['gateway', 'controller', 'renderer'].map((service) => [
      service,
      { serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/trifold' } } },
    ]),
  ),
  objectStore: {
    bundled: { enabled: false },
    external: { endpoint: 'http://s3.example.com:9000' },
  },
};

/** An object store without keys: the services exchange their service account tokens at the store's STS. */
export const WEB_IDENTITY: ChartValues = {
  objectStore: {
    bundled: { enabled: false },
    external: {
      endpoint: 'http://s3.example.com:9000',
      webIdentity: {
        enabled: true,
        audience: 'documents',
        roleArn: 'arn:minio:iam:::role/documents',
        stsEndpoint: 'https://sts.example.com:9443/',
      },
    },
  },
};

/** The smallest possible installation. */
export const BARE: ChartValues = {
  previews: { enabled: false },
  autoscaling: { mode: 'none' },
  // Below minReplicas; neither has an effect without autoscaling.
  renderer: { autoscaling: { maxReplicas: 1 } },
  crds: { install: false },
  rbac: { create: false },
  redis: { bundled: { persistence: { enabled: false } } },
  objectStore: { bundled: { persistence: { enabled: false } } },
  networkPolicy: { enabled: false },
  podDisruptionBudget: { enabled: false },
  topologySpread: { enabled: false },
};

/** Stores with IP addresses, and denied address ranges. */
const ADDRESSES: ChartValues = {
  denyAddresses: ['203.0.113.0/24', '8.8.8.8', 'fd00::/8', '2a00:1450::/32', '2606::1'],
  redis: { bundled: { enabled: false }, external: { url: 'redis://[fd00::5]:6380/0' } },
  objectStore: {
    bundled: { enabled: false },
    external: { endpoint: 'https://10.0.0.6', existingSecret: 's3' },
  },
};

/** The chart's values file for OpenShift. */
export const OPENSHIFT = parse(await readFile(`${CHART}values-openshift.yaml`, 'utf8')) as ChartValues;

export const VALUE_SETS: Readonly<Record<string, ChartValues>> = {
  'the defaults': {},
  'everything on': EVERYTHING,
  'external stores and KEDA': EXTERNAL,
  Sentinel: SENTINEL,
  'a Redis Cluster': REDIS_CLUSTER,
  'stores with IP addresses': ADDRESSES,
  'KEDA and the bundled Redis': {
    autoscaling: { mode: 'keda' },
    networkPolicy: { kedaNamespace: 'scaling' },
  },
  'a workload identity': WORKLOAD_IDENTITY,
  'a web identity': WEB_IDENTITY,
  'as little as possible': BARE,
  OpenShift: OPENSHIFT,
};
