import { allTexts, isDocument, pieces } from './s3-xml.ts';

const RULE_ID = 'trifold-expired-documents';

/**
 * Backstop for documents that the controller failed to collect: documents expire 24 hours after they were accepted, and
 * the store deletes them at the latest in its daily run after two days. The rule must never cover anything but
 * `documents/`.
 */
const RULE =
  `<Rule><ID>${RULE_ID}</ID><Status>Enabled</Status><Filter><Prefix>documents/</Prefix></Filter>` +
  '<Expiration><Days>2</Days></Expiration></Rule>';

const ROOT = 'LifecycleConfiguration';

/**
 * Returns the bucket's lifecycle configuration with the backstop added as its last rule and every other character
 * unchanged, or the rule alone when there is no configuration yet. Returns undefined when a rule with this ID exists:
 * an administrator may have changed it. Throws when the text is not a lifecycle configuration.
 */
export function withBackstop(current: string | undefined): string | undefined {
  if (current === undefined) return `<${ROOT}>${RULE}</${ROOT}>`;
  if (!isDocument(current, ROOT)) throw new Error('the answer is no lifecycle configuration');
  if (pieces(current, 'Rule').some((rule) => allTexts(rule, 'ID')[0] === RULE_ID)) return undefined;
  const end = current.lastIndexOf(`</${ROOT}>`);
  if (end < 0) return `<${ROOT}>${RULE}</${ROOT}>`;
  return current.slice(0, end) + RULE + current.slice(end);
}
