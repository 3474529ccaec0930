import { MAX_E_INVOICE_BYTES } from '@trifold/crds/limits.ts';
import { CODE_LIST_TITLES } from '@trifold/platform/e-invoices/code-lists/code-lists.ts';
import { MARKUP_HELPERS } from '@trifold/platform/e-invoices/mapping/binding.ts';
import { combinationProblem, PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import type { Group, Term } from '@trifold/platform/e-invoices/terms/term.ts';
import { INVOICE, termTitle } from '@trifold/platform/e-invoices/terms/terms.ts';

type Profile = keyof typeof PROFILES;
const PROFILE_NAMES = Object.keys(PROFILES) as readonly Profile[];

/**
 * Returns generated/e-invoice.json: the maximum size, the allowed settings of each profile, the helpers that a mapping
 * cannot use, and the terms.
 */
export function eInvoiceJson(): string {
  const settings = Object.fromEntries(PROFILE_NAMES.map((profile) => [profile, settingsOf(profile)]));
  const terms = entriesOf(INVOICE).map((entry) => JSON.stringify(entry));
  return `{
  "maxBytes": ${MAX_E_INVOICE_BYTES},
  "settings": ${JSON.stringify(settings)},
  "excludedHelpers": ${JSON.stringify([...MARKUP_HELPERS])},
  "terms": [
    ${terms.join(',\n    ')}
  ]
}
`;
}

/** Returns the combinations of format and syntax, the default first. */
function settingsOf(profile: Profile): object[] {
  const { formats, syntaxes } = PROFILES[profile];
  const all = formats.flatMap((format) => syntaxes.map((syntax) => ({ format, syntax })));
  return all.filter((settings) => !combinationProblem({ ...settings, profile, mapping: {} }));
}

function entriesOf({ terms, groups }: Group): object[] {
  // BT-24 is set by the profile.
  return [...terms, ...groups].filter(({ id }) => id !== 'BT-24').map(entryOf);
}

/** Omits properties that are undefined or false. */
function entryOf(entry: Term | Group): object {
  const { id, isRequired, isList } = entry;
  return {
    title: termTitle(id),
    isRequired: isRequired || undefined,
    isList: isList || undefined,
    requiredBy: profilesWith('required', id),
    excludedBy: profilesWith('excluded', id),
    ...('groups' in entry ? { entries: entriesOf(entry) } : valueOf(entry)),
  };
}

function valueOf({ type, codes, scheme }: Term): object {
  return {
    type: type.replace('-', ' '),
    codes: codes && CODE_LIST_TITLES[codes],
    scheme: scheme && (scheme.isRequired ? 'required' : 'optional'),
  };
}

function profilesWith(list: 'required' | 'excluded', id: Term['id'] | Group['id']): string[] | undefined {
  const names = PROFILE_NAMES.filter((name) => PROFILES[name][list].includes(id));
  return names.length > 0 ? names : undefined;
}
