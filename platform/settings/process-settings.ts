import type { Settings } from './setting.ts';
import { addressRange, apiKey, dnsLabel, hostName, rendererAddress } from './setting-forms.ts';
import {
  anyText,
  duration,
  listOf,
  oneOf,
  printableSecret,
  secretWithPredecessor,
  wholeNumber,
} from './setting-types.ts';

/** Settings that apply to every process. */
export const PROCESS = {
  TRIFOLD_HOST: {
    type: anyText,
    common: true,
    shown: '`127.0.0.1`; `::` in a cluster',
    doc: 'Address to listen on. `::` means all IPv4 and IPv6 addresses; on a machine without IPv6, it becomes `0.0.0.0`.',
  },
  TRIFOLD_PORT: {
    type: wholeNumber(0, 65_535),
    common: true,
    default: '8080',
    doc: 'Port to listen on; 0 selects a free port.',
  },
  TRIFOLD_HOSTS: {
    type: listOf(hostName),
    common: true,
    fallback: [],
    doc: 'Names that the standalone service accepts in the `Host` header, for example the name of a reverse proxy, without ports. It always accepts `localhost`, the host name of the machine, the hosts in `TRIFOLD_HOST` and `TRIFOLD_PUBLIC_URL`, and IP addresses. Requests for other names return 421, which protects against DNS rebinding, except for probes and `/metrics`. No effect in a cluster.',
    list: '`docs.example.com,trifold`',
  },
  TRIFOLD_DATA: {
    type: anyText,
    common: true,
    default: './.trifold',
    doc: 'Directory for all stored data (mode 0700). Only one process can use it at a time.',
  },
  TRIFOLD_DURABILITY: {
    type: oneOf('power', 'process'),
    default: 'power',
    doc: 'Durability of the standalone service. `power`: each response waits for the disk, so its effect survives a power cut. `process`: the effect survives a crash of the process, but a power cut or a crash of the operating system may lose the most recent changes. No effect in a cluster.',
  },
  TRIFOLD_KUBE_PORT: {
    type: wholeNumber(0, 65_535),
    default: '0',
    doc: 'Port on 127.0.0.1 of the control plane that kubectl uses; 0 selects a free port.',
  },
  TRIFOLD_LOG_LEVEL: {
    type: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    common: true,
    default: 'info',
    doc: 'Log level: `debug`, `info`, `warn`, `error` or `silent`.',
    chart: { value: 'logLevel', in: ['gateway', 'controller', 'renderer'] },
  },
  TRIFOLD_LIVE_KEY: {
    type: apiKey('live'),
    shown: 'generated',
    doc: 'Live key for the first account. Only a generated key is printed, on the first start.',
  },
  TRIFOLD_TEST_KEY: {
    type: apiKey('test'),
    shown: 'generated',
    doc: 'Test key for the first account. Only a generated key is printed, on the first start.',
  },
  TRIFOLD_DENY_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: 'Address ranges that webhooks and documents must never reach, even if `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES` or `TRIFOLD_RENDER_ALLOW_ADDRESSES` allows them. List the public ranges of your own network and those that your cloud exposes to its instances. Ranges that are not public and `168.63.129.16` (Azure) are denied unless one of these settings allows them. Applies to the gateway, the controller and the renderer.',
    list: '`203.0.113.0/24,2001:db8::/32`',
    chart: {
      value: 'denyAddresses',
      in: ['gateway', 'controller', 'renderer'],
    },
  },
} as const satisfies Settings;

/** Settings for the processes in a cluster. */
export const PROCESS_OF_A_CLUSTER = {
  TRIFOLD_OPERATIONS_PORT: {
    type: wholeNumber(0, 65_535),
    default: '9090',
    doc: 'Port on which the controller and the renderer serve `/healthz`, `/readyz` and `/metrics`; 0 selects a free port. The gateway serves them on `TRIFOLD_PORT`.',
  },
  TRIFOLD_CLOSE_DELAY: {
    type: duration('0s', '5m'),
    default: '5s',
    doc: 'Time for which a stopping gateway reports that it is not ready but still accepts requests, so that all nodes can remove it from the Service. `TRIFOLD_CLOSE_WAIT` begins after that.',
    chart: { value: 'gateway.config.closeDelay' },
  },
  TRIFOLD_DRAIN_WAIT: {
    type: duration('0s', '1h'),
    default: '70s',
    doc: 'Time for which a stopping renderer may continue its active documents; another renderer takes over the remaining documents.',
    chart: {
      value: 'renderer.config.drainWait',
      note: "Make it longer than `controller.config.renderDeadline`. The pod's grace period is derived from it.",
    },
  },
  TRIFOLD_PREVIEW_TOKEN: {
    type: printableSecret,
    doc: 'Secret of at least 32 characters with which gateways request previews from renderers; never printed. All gateways and renderers must have the same value. A renderer with this secret serves previews; PDF previews use a separate browser that it starts on demand.',
    computedFrom: 'previews.existingSecret',
  },
  TRIFOLD_PREVIEW_PORT: {
    type: wholeNumber(0, 65_535),
    default: '9091',
    doc: 'Port on which a renderer serves previews; 0 selects a free port.',
  },
  TRIFOLD_PREVIEW_RENDERERS: {
    type: listOf(rendererAddress),
    doc: 'Renderers from which a gateway requests previews: names or addresses with a port. A name, such as the name of a headless Service, can represent several renderers. If no renderers are listed, document previews return 501.',
    list: '`trifold-renderer:9091`',
  },
  TRIFOLD_TASK_KEYS: {
    type: secretWithPredecessor,
    common: true,
    required: 'the secret that controllers and renderers share',
    doc: 'Secret of at least 32 characters with which controllers and renderers encrypt tasks in Redis; never printed. Required in a cluster, where all controllers and renderers must have the same value. To replace the secret, set the new key, a comma and the old key until all processes have restarted with this value.',
    computedFrom: 'tasks.existingSecret',
  },
  TRIFOLD_LEASE_NAMESPACE: {
    type: dnsLabel,
    shown: "the pod's own",
    doc: 'Namespace of the Lease that controllers compete for; `default` outside a cluster.',
  },
  TRIFOLD_LEASE_NAME: {
    type: dnsLabel,
    default: 'trifold-controller',
    doc: 'Name of that Lease.',
  },
} as const satisfies Settings;
