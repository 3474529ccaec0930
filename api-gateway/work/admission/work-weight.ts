import { WEIGHT_LABEL, type KubernetesObject } from '@trifold/crds';

/** Bytes of options, as JSON, that count as one document. */
const OPTION_BYTES = 16 * 1024;

/** Returns as how many documents work counts because of its options, which controllers hold until it is finished. */
export function weightOf(options: object | undefined): number {
  return options ? Math.max(1, Math.ceil(JSON.stringify(options).length / OPTION_BYTES)) : 1;
}

/** Returns the labels that tell the weight to watches of metadata; none for the usual weight. */
export function weightLabels(options: object | undefined): Record<string, string> {
  const weight = weightOf(options);
  return weight === 1 ? {} : { [WEIGHT_LABEL]: String(weight) };
}

/** Returns the weight that the labels of a resource tell. */
export function labeledWeight({ metadata }: Pick<KubernetesObject, 'metadata'>): number {
  const weight = Number(metadata.labels?.[WEIGHT_LABEL] ?? 1);
  return Number.isInteger(weight) && weight > 1 ? weight : 1;
}
