import { isCode, type CodeListName } from '../code-lists/code-lists.ts';
import { groupOf, groupsOf, valuesOf, type GroupId, type InvoiceGroup, type TermId } from '../invoice.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE } from '../terms/terms.ts';
import { CODE_RULES, DECIMAL_RULES, REQUIRED_RULES, SCHEME_CODE_RULES, SCHEME_RULES } from './rule-names.ts';
import type { GroupRule, Rule, ValueRule } from './rule.ts';

const EMPTY: InvoiceGroup = { id: 'BG-0', terms: {}, groups: {} };

/** Rules that follow from the table of business terms: required terms, codes and decimal places. */
export const DERIVED_RULES: readonly Rule[] = [...requiredRules(INVOICE), ...valueRules(INVOICE)];

function requiredRules(group: Group): GroupRule[] {
  const terms = group.terms.filter(({ isRequired }) => isRequired);
  return [
    ...terms.map((term) => required(group.id, term, (entry) => valuesOf(entry, term.id).length > 0)),
    ...group.groups.flatMap((child) => requiredGroup(group, child)),
  ];
}

/** If no rule demands a required group itself, rules demand its required terms. */
function requiredGroup(parent: Group, child: Group): GroupRule[] {
  if (!child.isRequired) return requiredRules(child);
  if (REQUIRED_RULES[child.id] !== undefined) {
    return [
      required(parent.id, child, (entry) => groupsOf(entry, child.id).length > 0),
      ...requiredRules(child),
    ];
  }
  const own = child.terms.filter(({ isRequired }) => isRequired);
  return [
    ...own.map((term) =>
      required(parent.id, term, (entry) => valuesOf(groupOf(entry, child.id) ?? EMPTY, term.id).length > 0),
    ),
    ...child.groups.flatMap((grandchild) => requiredGroup(child, grandchild)),
  ];
}

function required(
  group: GroupId,
  { id, name }: Term | Group,
  isPresent: (entry: InvoiceGroup) => boolean,
): GroupRule {
  return {
    id: REQUIRED_RULES[id] ?? 'term-missing',
    group,
    term: id,
    holds: isPresent,
    message: `The ${name} is missing.`,
  };
}

function valueRules(group: Group): ValueRule[] {
  return [
    ...group.terms.flatMap((term) => termRules(group.id, term)),
    ...group.groups.flatMap((child) => valueRules(child)),
  ];
}

function termRules(group: GroupId, { id, name, codes, scheme }: Term): ValueRule[] {
  const rules: ValueRule[] = [];
  const add = (rule: Omit<ValueRule, 'group' | 'term'>) => rules.push({ group, term: id, ...rule });
  if (codes !== undefined) add(codeRule(CODE_RULES[id], codes, name));
  if (scheme?.isRequired === true) {
    add({
      id: SCHEME_RULES[id] ?? 'scheme-missing',
      allows: (value) => value.scheme !== undefined,
      message: `The ${name} needs a scheme.`,
    });
  }
  if (scheme?.codes !== undefined) add(schemeRule(id, scheme.codes, name));
  const decimals = DECIMAL_RULES[id];
  if (decimals !== undefined) add(decimalRule(decimals, name));
  return rules;
}

function codeRule(
  id: string | undefined,
  codes: CodeListName,
  name: string,
): Omit<ValueRule, 'group' | 'term'> {
  return {
    id: id ?? 'code-unknown',
    allows: ({ value }) => isCode(codes, value),
    message: ({ value }) => `“${value}” is not a valid ${name}.`,
  };
}

function schemeRule(term: TermId, codes: CodeListName, name: string): Omit<ValueRule, 'group' | 'term'> {
  return {
    id: SCHEME_CODE_RULES[term] ?? 'code-unknown',
    allows: ({ scheme }) => scheme === undefined || isCode(codes, scheme),
    message: ({ scheme }) => `“${scheme}” is not a valid scheme for the ${name}.`,
  };
}

function decimalRule(id: string, name: string): Omit<ValueRule, 'group' | 'term'> {
  return {
    id,
    allows: ({ value }) => !value.includes('.') || value.length - value.indexOf('.') <= 3,
    message: ({ value }) => `The ${name} ${value} has more than two decimal places.`,
  };
}
