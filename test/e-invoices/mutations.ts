import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { peppolName } from '@trifold/platform/e-invoices/rules/german-rules.ts';
import type { PlainGroup, PlainValue } from './plain-invoice.ts';

/** A change that makes a valid invoice break a rule. */
export interface Mutation {
  /** The rule that the invoice then breaks, perhaps with others. */
  readonly rule: string;
  readonly profile: EInvoiceProfile;
  /** Changes the invoice. Returns whether the invoice has the values that the change needs. */
  readonly apply: (invoice: PlainGroup) => boolean;
}

type Content = PlainValue | PlainValue[] | PlainGroup | PlainGroup[];
type Change = (group: PlainGroup, key: string) => void;

/** Paths through the first entry of each list, such as `BG-25/BG-29/BT-146`. The last step must exist. */
function change(rule: string, path: string, edit: Change, profile: EInvoiceProfile = 'en16931'): Mutation {
  const steps = path.split('/');
  const key = steps.pop()!;
  return {
    rule,
    profile,
    apply(invoice) {
      const group = steps.reduce<PlainGroup | undefined>(
        (parent, step) => (parent === undefined ? undefined : first(parent, step)),
        invoice,
      );
      if (group === undefined || !(key in group)) return false;
      edit(group, key);
      return true;
    },
  };
}

function first(group: PlainGroup, id: string): PlainGroup | undefined {
  return all(group, id)[0];
}

function all(group: PlainGroup, id: string): PlainGroup[] {
  const content = group[id as 'BG-1'];
  if (content === undefined) return [];
  return Array.isArray(content) ? content : [content];
}

const remove: Change = (group, key) => {
  delete group[key as 'BT-1'];
};

const withoutDueDate: Change = (invoice) => {
  remove(invoice, 'BT-9');
  remove(invoice, 'BT-20');
};

const set =
  (content: Content): Change =>
  (group, key) => {
    (group as Record<string, Content>)[key] = content;
  };

/** Sets a different term in the group that contains the term at the end of the path. */
const setBeside =
  (id: string, content: Content): Change =>
  (group) => {
    (group as Record<string, Content>)[id] = content;
  };

/** Adds to an amount. */
const plus =
  (amount: number): Change =>
  (group, key) => {
    group[key as 'BT-1'] = (Number(group[key as 'BT-1']) + amount).toFixed(2);
  };

const withoutScheme: Change = (group, key) => {
  const content = group[key as 'BT-1'];
  const [entry] = Array.isArray(content) ? content : [content];
  const { value } = entry as { value: string };
  group[key as 'BT-1'] = Array.isArray(content) ? [value] : value;
};

const withScheme =
  (scheme: string): Change =>
  (group, key) => {
    const content = group[key as 'BT-1'];
    const [entry] = Array.isArray(content) ? content : [content];
    const value = typeof entry === 'string' ? entry : entry!.value;
    group[key as 'BT-1'] = Array.isArray(content) ? [{ value, scheme }] : { value, scheme };
  };

type Row = readonly [rule: string, path: string];

const REQUIRED: readonly Row[] = [
  ['BR-01', 'BG-2/BT-24'],
  ['BR-02', 'BT-1'],
  ['BR-03', 'BT-2'],
  ['BR-04', 'BT-3'],
  ['BR-05', 'BT-5'],
  ['BR-06', 'BG-4/BT-27'],
  ['BR-07', 'BG-7/BT-44'],
  ['BR-08', 'BG-4/BG-5'],
  ['BR-09', 'BG-4/BG-5/BT-40'],
  ['BR-10', 'BG-7/BG-8'],
  ['BR-11', 'BG-7/BG-8/BT-55'],
  ['BR-12', 'BG-22/BT-106'],
  ['BR-13', 'BG-22/BT-109'],
  ['BR-14', 'BG-22/BT-112'],
  ['BR-15', 'BG-22/BT-115'],
  ['BR-16', 'BG-25'],
  ['BR-17', 'BG-10/BT-59'],
  ['BR-18', 'BG-11/BT-62'],
  ['BR-19', 'BG-11/BG-12'],
  ['BR-20', 'BG-11/BG-12/BT-69'],
  ['BR-21', 'BG-25/BT-126'],
  ['BR-22', 'BG-25/BT-129'],
  ['BR-23', 'BG-25/BT-130'],
  ['BR-24', 'BG-25/BT-131'],
  ['BR-25', 'BG-25/BG-31/BT-153'],
  ['BR-26', 'BG-25/BG-29/BT-146'],
  ['BR-31', 'BG-20/BT-92'],
  ['BR-32', 'BG-20/BT-95'],
  ['BR-33', 'BG-20/BT-97'],
  ['BR-36', 'BG-21/BT-99'],
  ['BR-37', 'BG-21/BT-102'],
  ['BR-38', 'BG-21/BT-104'],
  ['BR-41', 'BG-25/BG-27/BT-136'],
  ['BR-42', 'BG-25/BG-27/BT-140'],
  ['BR-43', 'BG-25/BG-28/BT-141'],
  ['BR-44', 'BG-25/BG-28/BT-144'],
  ['BR-45', 'BG-23/BT-116'],
  ['BR-46', 'BG-23/BT-117'],
  ['BR-47', 'BG-23/BT-118'],
  ['BR-48', 'BG-23/BT-119'],
  ['BR-49', 'BG-16/BT-81'],
  ['BR-50', 'BG-16/BG-17/BT-84'],
  ['BR-52', 'BG-24/BT-122'],
  ['BR-53', 'BG-22/BT-111'],
  ['BR-54', 'BG-25/BG-31/BG-32/BT-161'],
  ['BR-55', 'BG-3/BT-25'],
  ['BR-56', 'BG-11/BT-63'],
  ['BR-57', 'BG-13/BG-15/BT-80'],
  ['BR-61', 'BG-16/BG-17'],
  ['BR-CO-04', 'BG-25/BG-30/BT-151'],
  ['BR-CO-11', 'BG-22/BT-107'],
  ['BR-CO-12', 'BG-22/BT-108'],
  ['BR-CO-18', 'BG-23'],
  ['term-missing', 'BG-1/BT-22'],
];

const SCHEMES: readonly Row[] = [
  ['BR-62', 'BG-4/BT-34'],
  ['BR-63', 'BG-7/BT-49'],
  ['BR-64', 'BG-25/BG-31/BT-157'],
  ['BR-65', 'BG-25/BG-31/BT-158'],
];

const CODES: readonly Row[] = [
  ['BR-CL-01', 'BT-3'],
  ['BR-CL-04', 'BT-5'],
  ['BR-CL-05', 'BT-6'],
  ['BR-CL-06', 'BT-8'],
  ['BR-CL-14', 'BG-4/BG-5/BT-40'],
  ['BR-CL-14', 'BG-13/BG-15/BT-80'],
  ['BR-CL-15', 'BG-25/BG-31/BT-159'],
  ['BR-CL-16', 'BG-16/BT-81'],
  ['BR-CL-17', 'BG-20/BT-95'],
  ['BR-CL-17', 'BG-23/BT-118'],
  ['BR-CL-18', 'BG-25/BG-30/BT-151'],
  ['BR-CL-19', 'BG-25/BG-27/BT-140'],
  ['BR-CL-22', 'BG-23/BT-121'],
  ['BR-CL-23', 'BG-25/BT-130'],
  ['BR-CL-23', 'BG-25/BG-29/BT-150'],
];

const SCHEME_CODES: readonly Row[] = [
  ['BR-CL-07', 'BT-18'],
  ['BR-CL-10', 'BG-4/BT-29'],
  ['BR-CL-10', 'BG-7/BT-46'],
  ['BR-CL-11', 'BG-7/BT-47'],
  ['BR-CL-13', 'BG-25/BG-31/BT-158'],
  ['BR-CL-21', 'BG-25/BG-31/BT-157'],
  ['BR-CL-25', 'BG-4/BT-34'],
  ['BR-CL-26', 'BG-13/BT-71'],
];

/** A third decimal place of 0 does not change any sum. */
const DECIMALS: readonly Row[] = [
  ['BR-DEC-01', 'BG-20/BT-92'],
  ['BR-DEC-02', 'BG-20/BT-93'],
  ['BR-DEC-05', 'BG-21/BT-99'],
  ['BR-DEC-06', 'BG-21/BT-100'],
  ['BR-DEC-09', 'BG-22/BT-106'],
  ['BR-DEC-10', 'BG-22/BT-107'],
  ['BR-DEC-11', 'BG-22/BT-108'],
  ['BR-DEC-12', 'BG-22/BT-109'],
  ['BR-DEC-14', 'BG-22/BT-112'],
  ['BR-DEC-16', 'BG-22/BT-113'],
  ['BR-DEC-17', 'BG-22/BT-114'],
  ['BR-DEC-18', 'BG-22/BT-115'],
  ['BR-DEC-19', 'BG-23/BT-116'],
  ['BR-DEC-20', 'BG-23/BT-117'],
  ['BR-DEC-23', 'BG-25/BT-131'],
  ['BR-DEC-24', 'BG-25/BG-27/BT-136'],
  ['BR-DEC-27', 'BG-25/BG-28/BT-141'],
];

const SUMS: readonly Row[] = [
  ['BR-CO-10', 'BG-22/BT-106'],
  ['BR-CO-11', 'BG-22/BT-107'],
  ['BR-CO-12', 'BG-22/BT-108'],
  ['BR-CO-13', 'BG-22/BT-109'],
  ['BR-CO-14', 'BG-22/BT-110'],
  ['BR-CO-15', 'BG-22/BT-112'],
  ['BR-CO-16', 'BG-22/BT-115'],
  ['BR-CO-16', 'BG-22/BT-113'],
  ['BR-CO-16', 'BG-22/BT-114'],
  ['BR-CO-10', 'BG-25/BT-131'],
  ['BR-CO-11', 'BG-20/BT-92'],
  ['BR-CO-12', 'BG-21/BT-99'],
];

const CONTENT: readonly Mutation[] = [
  change('BR-17', 'BG-10/BT-59', set('Lieferant GmbH')),
  change('BR-27', 'BG-25/BG-29/BT-146', set('-1.00')),
  change('BR-28', 'BG-25/BG-29/BT-148', set('-1.00')),
  change('BR-29', 'BG-13/BG-14/BT-74', set('2026-10-31')),
  change('BR-30', 'BG-25/BG-26/BT-135', set('2026-11-01')),
  change('BR-51', 'BG-16/BG-18/BT-87', set('4111111111111111')),
  change('BR-53', 'BT-6', set('EUR')),
  change('BR-53', 'BT-6', remove),
  change('BR-CO-25', 'BT-9', withoutDueDate, 'basic'),
  change('BR-CL-08', 'BG-1/BT-22', setBeside('BT-21', 'XX9')),
  change('BR-CO-03', 'BT-7', setBeside('BT-8', '35')),
  change('BR-CO-09', 'BG-4/BT-31', set('123456789')),
  change('BR-CO-09', 'BG-7/BT-48', set('XX123456789')),
  change('BR-CO-09', 'BG-11/BT-63', set('00111111125')),
  change('BR-CO-26', 'BG-4/BT-30', (seller) => {
    for (const id of ['BT-29', 'BT-30', 'BT-31']) remove(seller, id);
  }),
  change('BR-CL-20', 'BG-25/BG-28/BT-144', setBeside('BT-145', 'XXX')),
  change('BR-DEC-25', 'BG-25/BG-27/BT-136', setBeside('BT-137', '10.000')),
  change('BR-DEC-28', 'BG-25/BG-28/BT-141', setBeside('BT-142', '10.000')),
  change('BR-DEC-13', 'BG-22/BT-110', set('12.345')),
  change('BR-DEC-15', 'BG-22/BT-111', set('12.345')),
];

const XRECHNUNG: readonly Mutation[] = [
  ...(
    [
      ['BR-DE-1', 'BG-16'],
      ['BR-DE-2', 'BG-4/BG-6'],
      ['BR-DE-3', 'BG-4/BG-5/BT-37'],
      ['BR-DE-4', 'BG-4/BG-5/BT-38'],
      ['BR-DE-5', 'BG-4/BG-6/BT-41'],
      ['BR-DE-6', 'BG-4/BG-6/BT-42'],
      ['BR-DE-7', 'BG-4/BG-6/BT-43'],
      ['BR-DE-8', 'BG-7/BG-8/BT-52'],
      ['BR-DE-9', 'BG-7/BG-8/BT-53'],
      ['BR-DE-10', 'BG-13/BG-15/BT-77'],
      ['BR-DE-11', 'BG-13/BG-15/BT-78'],
      ['BR-DE-14', 'BG-23/BT-119'],
      ['BR-DE-15', 'BT-10'],
      ['BR-DE-23-a', 'BG-16/BG-17'],
      ['BR-DE-24-a', 'BG-16/BG-18'],
      ['BR-DE-25-a', 'BG-16/BG-19'],
      ['BR-DE-30', 'BG-16/BG-19/BT-90'],
      ['BR-DE-31', 'BG-16/BG-19/BT-91'],
      ['PEPPOL-EN16931-R001', 'BG-2/BT-23'],
      ['PEPPOL-EN16931-R010', 'BG-7/BT-49'],
      ['PEPPOL-EN16931-R020', 'BG-4/BT-34'],
    ] as const
  ).map(([rule, path]) => change(rule, path, remove, 'xrechnung')),
  change('BR-DE-16', 'BG-4/BT-31', removeTaxNumbersOf('BG-4'), 'xrechnung'),
  change('BR-DE-18', 'BT-20', set('#SKONTO#TAGE=14#PROZENT=2#\n30 days'), 'xrechnung'),
  change('BR-DE-23-b', 'BG-16/BG-17', setBeside('BG-18', { 'BT-87': '1234' }), 'xrechnung'),
  change(
    'BR-DE-24-b',
    'BG-16/BG-18',
    setBeside('BG-17', [{ 'BT-84': 'DE02120300000000202051' }]),
    'xrechnung',
  ),
  change('BR-DE-25-b', 'BG-16/BG-19', setBeside('BG-18', { 'BT-87': '1234' }), 'xrechnung'),
];

const PEPPOL: readonly Mutation[] = [
  ...(
    [
      ['PEPPOL-EN16931-R041', 'BG-20/BT-93'],
      ['PEPPOL-EN16931-R042', 'BG-21/BT-101'],
      ['PEPPOL-EN16931-R061', 'BG-16/BG-19/BT-89'],
      ['PEPPOL-EN16931-R010', 'BG-7/BT-49'],
    ] as const
  ).map(([rule, path]) => change(rule, path, remove, 'peppol-bis-3')),
  ...(
    [
      ['PEPPOL-EN16931-R004', 'BG-2/BT-24', set('urn:cen.eu:en16931:2017')],
      ['PEPPOL-EN16931-R005', 'BT-6', set('EUR')],
      ['PEPPOL-EN16931-R007', 'BG-2/BT-23', set('urn:other')],
      ['PEPPOL-EN16931-R040', 'BG-20/BT-94', set('11')],
      ['PEPPOL-EN16931-R040', 'BG-21/BT-101', set('9.5')],
      ['PEPPOL-EN16931-R046', 'BG-25/BG-29/BT-148', set('0.01')],
      ['PEPPOL-EN16931-R110', 'BG-13/BG-14/BT-73', set('2026-11-03')],
      ['PEPPOL-EN16931-R111', 'BG-13/BG-14/BT-74', set('2026-11-26')],
      ['PEPPOL-EN16931-R120', 'BG-25/BT-129', set('77777')],
      ['PEPPOL-EN16931-R121', 'BG-25/BG-29/BT-149', set('0')],
      ['PEPPOL-EN16931-R130', 'BG-25/BG-29/BT-150', set('DAY')],
      ['PEPPOL-EN16931-P0100', 'BT-3', set('471')],
      ['PEPPOL-COMMON-R040', 'BG-4/BT-29', set([{ value: '7300010000002', scheme: '0088' }])],
      ['PEPPOL-COMMON-R041', 'BG-7/BT-46', set({ value: '123456789', scheme: '0192' })],
      ['PEPPOL-COMMON-R042', 'BG-7/BT-49', set({ value: '1234', scheme: '0184' })],
      ['PEPPOL-COMMON-R043', 'BG-7/BT-49', set({ value: '0123456789', scheme: '0208' })],
      ['PEPPOL-COMMON-R049', 'BG-7/BT-47', set({ value: '5560360794', scheme: '0007' })],
      ['PEPPOL-COMMON-R050', 'BG-4/BT-34', set({ value: '51824753557', scheme: '0151' })],
      ['PEPPOL-COMMON-R052', 'BG-4/BT-34', set({ value: '12', scheme: '0096' })],
      ['PEPPOL-COMMON-R053', 'BG-4/BT-34', set({ value: '12345678', scheme: '0198' })],
      ['PEPPOL-EN16931-CL008', 'BG-4/BT-34', set({ value: 'a@example.com', scheme: 'EM' })],
    ] as const
  ).map(([rule, path, edit]) => change(rule, path, edit, 'peppol-bis-3')),
  abroad('PEPPOL-EN16931-R002', (invoice) => {
    invoice['BG-1'] = [{ 'BT-22': 'One' }, { 'BT-22': 'Two' }];
  }),
  abroad('PEPPOL-EN16931-P0112', (invoice) => {
    invoice['BT-3'] = '384';
  }),
  {
    rule: 'PEPPOL-EN16931-R055',
    profile: 'peppol-bis-3',
    apply(invoice) {
      const totals = first(invoice, 'BG-22')!;
      if (!('BT-111' in totals) || Number(totals['BT-110']) === 0) return false;
      totals['BT-111'] = Number(totals['BT-110']) > 0 ? '-1.00' : '1.00';
      return true;
    },
  },
  change(
    'PEPPOL-EN16931-R003',
    'BT-10',
    (invoice) => ['BT-10', 'BT-13', 'BT-14'].forEach((id) => remove(invoice, id)),
    'peppol-bis-3',
  ),
  ...(
    [
      ['P0104', 'VATEX-EU-G'],
      ['P0105', 'VATEX-EU-O'],
      ['P0106', 'VATEX-EU-IC'],
      ['P0107', 'VATEX-EU-AE'],
      ['P0108', 'VATEX-EU-D'],
      ['P0109', 'VATEX-EU-F'],
      ['P0110', 'VATEX-EU-I'],
      ['P0111', 'VATEX-EU-J'],
    ] as const
  ).map(([rule, code]) =>
    withCategory(
      `PEPPOL-EN16931-${rule}`,
      code === 'VATEX-EU-AE' ? 'K' : 'AE',
      (invoice) => {
        for (const breakdown of all(invoice, 'BG-23')) breakdown['BT-121'] = code;
      },
      'peppol-bis-3',
    ),
  ),
];

/** Applies a change to invoices with a foreign buyer, which only the categories K and G have. */
function abroad(rule: string, edit: (invoice: PlainGroup) => void): Mutation {
  return {
    rule,
    profile: 'peppol-bis-3',
    apply(invoice) {
      if (first(first(invoice, 'BG-7')!, 'BG-8')?.['BT-55'] === 'DE') return false;
      edit(invoice);
      return true;
    },
  };
}

/** Applies a change to invoices that have a VAT category in lines, allowances and charges. */
function withCategory(
  rule: string,
  code: string,
  edit: (invoice: PlainGroup) => void,
  profile: EInvoiceProfile = 'en16931',
): Mutation {
  return {
    rule,
    profile,
    apply(invoice) {
      const codes = [
        all(invoice, 'BG-25').some((line) => first(line, 'BG-30')?.['BT-151'] === code),
        all(invoice, 'BG-20').some((allowance) => allowance['BT-95'] === code),
        all(invoice, 'BG-21').some((charge) => charge['BT-102'] === code),
      ];
      if (!codes.every(Boolean)) return false;
      edit(invoice);
      return true;
    },
  };
}

function removeTaxNumbersOf(id: string): Change {
  return (party, key) => {
    for (const number of id === 'BG-4' ? ['BT-31', 'BT-32'] : [key]) remove(party, number);
  };
}

const RATED = ['S', 'L', 'M'];
const PREFIXES: Readonly<Record<string, string>> = { K: 'IC', L: 'AF', M: 'AG' };

/** One mutation for each rule of each VAT category. */
const CATEGORIES: readonly Mutation[] = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'].flatMap((code) => {
  const rule = (number: string) => `BR-${PREFIXES[code] ?? code}-${number}`;
  const isRated = RATED.includes(code);
  const badRate = isRated ? '-1' : '5';
  const breakdowns = (invoice: PlainGroup) =>
    all(invoice, 'BG-23').filter((entry) => entry['BT-118'] === code);
  const mutation = (number: string, edit: (invoice: PlainGroup) => void) =>
    withCategory(rule(number), code, edit);
  const withoutNumbers = (invoice: PlainGroup) => {
    const seller = first(invoice, 'BG-4')!;
    if (code === 'O') seller['BT-31'] = 'DE123456789';
    else for (const id of ['BT-31', 'BT-32']) remove(seller, id);
    if (code !== 'O') remove(invoice, 'BG-11');
  };
  return [
    mutation('01', (invoice) => {
      for (const entry of breakdowns(invoice)) entry['BT-118'] = code === 'Z' ? 'E' : 'Z';
    }),
    mutation('02', withoutNumbers),
    mutation('03', withoutNumbers),
    mutation('04', withoutNumbers),
    mutation('05', (invoice) => {
      for (const line of all(invoice, 'BG-25')) {
        const vat = first(line, 'BG-30')!;
        if (vat['BT-151'] === code) vat['BT-152'] = badRate;
      }
    }),
    mutation('06', (invoice) => {
      for (const entry of all(invoice, 'BG-20')) if (entry['BT-95'] === code) entry['BT-96'] = badRate;
    }),
    mutation('07', (invoice) => {
      for (const entry of all(invoice, 'BG-21')) if (entry['BT-102'] === code) entry['BT-103'] = badRate;
    }),
    mutation('08', (invoice) => {
      for (const entry of breakdowns(invoice)) plus(3)(entry, 'BT-116');
    }),
    mutation('09', (invoice) => {
      for (const entry of breakdowns(invoice)) plus(5)(entry, 'BT-117');
    }),
    mutation('10', (invoice) => {
      for (const entry of breakdowns(invoice)) {
        for (const id of ['BT-120', 'BT-121']) remove(entry, id);
        if (isRated || code === 'Z') entry['BT-120'] = 'No reason';
      }
    }),
  ];
});

const SPECIAL_CATEGORIES: readonly Mutation[] = [
  withCategory('BR-IC-02', 'K', (invoice) => remove(first(invoice, 'BG-7')!, 'BT-48')),
  withCategory('BR-AE-02', 'AE', (invoice) => remove(first(invoice, 'BG-7')!, 'BT-47')),
  withCategory('BR-IC-11', 'K', (invoice) => {
    for (const id of ['BT-72', 'BG-14']) remove(first(invoice, 'BG-13')!, id);
  }),
  withCategory('BR-IC-12', 'K', (invoice) => remove(first(invoice, 'BG-13')!, 'BG-15')),
  withCategory('BR-O-11', 'O', (invoice) => {
    (invoice['BG-23'] as PlainGroup[]).push({
      'BT-116': '0.00',
      'BT-117': '0.00',
      'BT-118': 'Z',
      'BT-119': '0',
    });
  }),
  withCategory('BR-O-12', 'O', (invoice) => {
    first(all(invoice, 'BG-25')[0]!, 'BG-30')!['BT-151'] = 'Z';
  }),
  withCategory('BR-O-13', 'O', (invoice) => {
    all(invoice, 'BG-20')[0]!['BT-95'] = 'Z';
  }),
  withCategory('BR-O-14', 'O', (invoice) => {
    all(invoice, 'BG-21')[0]!['BT-102'] = 'Z';
  }),
];

/** Peppol has the XRechnung rules for invoices within Germany. */
const WITHIN_GERMANY: readonly Mutation[] = XRECHNUNG.filter(({ rule }) => rule.startsWith('BR-DE-')).map(
  ({ rule, apply }) => ({
    rule: peppolName(rule),
    profile: 'peppol-bis-3',
    apply: (invoice) => first(first(invoice, 'BG-7')!, 'BG-8')?.['BT-55'] === 'DE' && apply(invoice),
  }),
);

/** At least one mutation for each rule that a generated invoice can break. */
export const MUTATIONS: readonly Mutation[] = [
  ...REQUIRED.map(([rule, path]) => change(rule, path, remove)),
  ...SCHEMES.map(([rule, path]) => change(rule, path, withoutScheme)),
  ...CODES.map(([rule, path]) => change(rule, path, set('XX9'))),
  ...SCHEME_CODES.map(([rule, path]) => change(rule, path, withScheme('XX9'))),
  ...DECIMALS.map(([rule, path]) =>
    change(rule, path, (group, key) => {
      group[key as 'BT-1'] = `${group[key as 'BT-1'] as string}0`;
    }),
  ),
  ...SUMS.map(([rule, path]) => change(rule, path, plus(7))),
  ...CONTENT,
  ...CATEGORIES,
  ...SPECIAL_CATEGORIES,
  ...XRECHNUNG,
  ...PEPPOL,
  ...WITHIN_GERMANY,
];
