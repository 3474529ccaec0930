import { allTexts, isDocument, pieces } from './s3-xml.ts';

const RULE_ID = 'trifold-expired-documents';

/**
 * What the controller failed to collect: documents expire 24 hours after they were accepted, and go at the latest when
 * the store does its daily round after two days. Nothing but `documents/` may ever be in here.
 */
const RULE =
  `<Rule><ID>${RULE_ID}</ID><Status>Enabled</Status><Filter><Prefix>documents/</Prefix></Filter>` +
  '<Expiration><Days>2</Days></Expiration></Rule>';

const ROOT = 'LifecycleConfiguration';

/**
 * The bucket's lifecycle configuration with the backstop added as its last rule, every other character as it was; the
 * rule alone when there is no configuration yet. Undefined when nothing has to be done: a rule of that name is there,
 * perhaps changed by an administrator, which is left to them. Throws when the text is no lifecycle configuration.
 */
export function withBackstop(current: string | undefined): string | undefined {
  if (current === undefined) return `<${ROOT}>${RULE}</${ROOT}>`;
  if (!isDocument(current, ROOT)) throw new Error('the answer is no lifecycle configuration');
  if (pieces(current, 'Rule').some((rule) => allTexts(rule, 'ID')[0] === RULE_ID)) return undefined;
  const end = current.lastIndexOf(`</${ROOT}>`);
  if (end < 0) return `<${ROOT}>${RULE}</${ROOT}>`;
  return current.slice(0, end) + RULE + current.slice(end);
}
