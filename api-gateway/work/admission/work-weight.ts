import { WEIGHT_LABEL, type KubernetesObject } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';

/** Index, by account, of unfinished work that counts as several documents. */
export const HEAVY = 'heavy';

/** Size of options as JSON, in bytes, that counts as one document. */
const OPTION_BYTES = 16 * 1024;

/** Returns the number of documents the work counts as. Controllers keep its options in memory until it is finished. */
export function weightOf(options: object | undefined): number {
  return options ? Math.max(1, Math.ceil(JSON.stringify(options).length / OPTION_BYTES)) : 1;
}

/** Returns the weight label; none for weight 1. */
export function weightLabels(options: object | undefined): Record<string, string> {
  const weight = weightOf(options);
  return weight === 1 ? {} : { [WEIGHT_LABEL]: String(weight) };
}

/** Returns the weight from the labels. */
export function labeledWeight({ metadata }: Pick<KubernetesObject, 'metadata'>): number {
  const weight = Number(metadata.labels?.[WEIGHT_LABEL] ?? 1);
  return Number.isInteger(weight) && weight > 1 ? weight : 1;
}

/** Returns the number of documents that an account's jobs count as. `index`: index of these jobs by account. */
export function countedDocuments<R extends KubernetesObject>(
  cache: Pick<Informer<R>, 'byIndex' | 'countByIndex'>,
  account: string,
  index: string,
): number {
  const heavy = cache.byIndex(HEAVY, account);
  return heavy.reduce((sum, job) => sum + labeledWeight(job) - 1, cache.countByIndex(index, account));
}
