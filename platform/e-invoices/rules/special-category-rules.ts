import { valueOf } from '../invoice.ts';
import type { GroupRule } from './rule.ts';

/** BR-IC-11 and BR-IC-12: an intra-community supply states when and where the goods are delivered. */
const INTRA_COMMUNITY: readonly GroupRule[] = [
  {
    id: 'BR-IC-11',
    group: 'BG-0',
    term: 'BT-72',
    applies: (context) => context.breakdowns('K') > 0,
    holds: (_invoice, context) =>
      context.value('BG-13', 'BT-72') !== undefined || context.groups('BG-14').length > 0,
    message: 'An intra-community supply (VAT category K) needs a delivery date or an invoicing period.',
  },
  {
    id: 'BR-IC-12',
    group: 'BG-0',
    term: 'BT-80',
    applies: (context) => context.breakdowns('K') > 0,
    holds: (_invoice, context) => context.value('BG-15', 'BT-80') !== undefined,
    message: 'An intra-community supply (VAT category K) needs the country of the delivery address.',
  },
];

/** BR-O-11 to BR-O-14: "not subject to VAT" excludes all other categories. */
const NOT_SUBJECT: readonly GroupRule[] = (
  [
    ['BR-O-11', 'BG-23', 'BT-118', 'VAT breakdown entry'],
    ['BR-O-12', 'BG-30', 'BT-151', 'line'],
    ['BR-O-13', 'BG-20', 'BT-95', 'allowance'],
    ['BR-O-14', 'BG-21', 'BT-102', 'charge'],
  ] as const
).map(([id, group, term, what]) => ({
  id,
  group,
  term,
  applies: (context) => context.breakdowns('O') > 0,
  holds: (entry) => (valueOf(entry, term)?.value ?? 'O') === 'O',
  message: `If the VAT breakdown has category O (not subject to VAT), each ${what} must have this category.`,
}));

export const SPECIAL_CATEGORY_RULES: readonly GroupRule[] = [...INTRA_COMMUNITY, ...NOT_SUBJECT];
