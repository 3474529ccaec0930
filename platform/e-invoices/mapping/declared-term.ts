import type { EInvoiceProfile } from '../e-invoice-spec.ts';
import { PROFILES } from '../profiles.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE, ownerOf, termOrGroup, termTitle } from '../terms/terms.ts';

/** Returns the term or group that a key in the mapping of `parent` names. Returns a mistake as a string. */
export function declaredTerm(parent: Group, key: string, profile: EInvoiceProfile): Term | Group | string {
  const declared = namedTerm(key);
  if (typeof declared === 'string') return declared;
  const title = termTitle(declared.id);
  const owner = ownerOf(declared.id);
  if (owner !== parent) {
    return `"${title}" belongs ${owner === INVOICE ? 'at the top of the mapping' : `in "${termTitle(owner.id)}"`}`;
  }
  if (declared.id === 'BT-24') return `"${title}" is set by the profile: remove it`;
  const isExcluded = PROFILES[profile].excluded.includes(declared.id);
  return isExcluded ? `the profile ${profile} does not have "${title}"` : declared;
}

/** A key is a term's or group's number, or its number and name. */
function namedTerm(key: string): Term | Group | string {
  const [id = '', ...words] = key.split(' ');
  if (id === 'BT-125')
    return 'BT-125 attached document is not supported: use BT-124 external document location';
  const declared = termOrGroup(id);
  if (!declared || declared === INVOICE) {
    return `"${key}" is not a business term of EN 16931, such as "BT-1 invoice number"`;
  }
  const title = termTitle(declared.id);
  const isNamed = words.length === 0 || key.toLowerCase() === title.toLowerCase();
  return isNamed ? declared : `"${key}" has the wrong name: write "${title}" or "${id}"`;
}
