import type { Manifest } from './helm.ts';

interface Peer {
  readonly podSelector?: { matchLabels?: Record<string, string> };
  readonly namespaceSelector?: { matchLabels?: Record<string, string> };
  readonly ipBlock?: { cidr: string; except?: string[] };
}

function peerText({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock) return [ipBlock.cidr, ...(ipBlock.except ?? []).map((range) => `-${range}`)].join(' ');
  const pods = podSelector && (podSelector.matchLabels?.['app.kubernetes.io/component'] ?? 'every pod');
  if (!namespaceSelector) return pods ?? '?';
  const namespace = namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'];
  return [namespace ? `namespace ${namespace}` : 'every namespace', pods].filter(Boolean).join(' ');
}

interface PolicyRule {
  readonly to?: Peer[];
  readonly from?: Peer[];
  readonly ports?: { port: number; protocol: string }[];
}

/** Returns the peers and ports of a NetworkPolicy rule. */
export function egressText({ to, from, ports }: PolicyRule): string {
  const peers = (to ?? from)?.map(peerText).join(', ') ?? 'anywhere';
  return `${peers}: ${ports?.map(({ port, protocol }) => `${port}/${protocol}`).join(' ') ?? 'any port'}`;
}

interface NetworkPolicySpec {
  readonly policyTypes: string[];
  readonly ingress?: PolicyRule[] | null;
  readonly egress?: PolicyRule[] | null;
}

/** Returns which components may reach which, and what scales the Deployments. */
export function wiringOf({ kind, metadata, spec }: Manifest): string[] {
  const name = metadata.name.replace('trifold-', '');
  if (kind === 'ScaledObject')
    return spec.triggers.map((trigger: object) => `${name} scaled by ${JSON.stringify(trigger)}`);
  if (kind === 'TriggerAuthentication') return [`as ${JSON.stringify(spec.secretTargetRef)}`];
  if (kind === 'HorizontalPodAutoscaler') return [`${name} scaled by ${JSON.stringify(spec.metrics)}`];
  // An autoscaled Deployment sets no replicas; otherwise each upgrade would reset the number.
  if (kind === 'Deployment') return [`${name} has ${spec.replicas ?? 'no number of'} replicas`];
  if (kind !== 'NetworkPolicy') return [];
  const { ingress, egress, policyTypes } = spec as NetworkPolicySpec;
  return [
    `${name} has a policy for ${policyTypes.join(' and ')}`,
    ...(ingress ?? []).map((rule) => `${name} from ${egressText(rule)}`),
    ...(egress ?? []).map((rule) => `${name} to ${egressText(rule)}`),
  ];
}

/** Returns the labels by which the objects select pods. */
export function selectorsOf(manifests: readonly Manifest[]) {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const selector = { Service: spec?.selector, NetworkPolicy: spec?.podSelector?.matchLabels }[kind] as
      | Record<string, string>
      | undefined;
    const labels =
      selector ?? (kind === 'CustomResourceDefinition' ? undefined : spec?.selector?.matchLabels);
    return labels && kind !== 'ServiceMonitor'
      ? [{ name: `${kind} ${metadata.name}`, selector: labels }]
      : [];
  });
}
