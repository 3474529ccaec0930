import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import type { PlainGroup } from './plain-invoice.ts';

/** Amounts are in cents. */
interface Line {
  readonly category: Category;
  readonly net: number;
  readonly group: PlainGroup;
}

interface Category {
  readonly code: string;
  readonly rate: string;
}

/** VAT categories of each generated invoice, in turn. O (not subject to VAT) is always alone. */
const CATEGORY_SETS: readonly (readonly Category[])[] = [
  [{ code: 'S', rate: '19' }],
  [
    { code: 'S', rate: '19' },
    { code: 'S', rate: '7.00' },
  ],
  [{ code: 'Z', rate: '0' }],
  [{ code: 'E', rate: '0' }],
  [{ code: 'AE', rate: '0' }],
  [{ code: 'K', rate: '0' }],
  [{ code: 'G', rate: '0' }],
  [{ code: 'O', rate: '' }],
  [{ code: 'L', rate: '7' }],
  [{ code: 'M', rate: '4' }],
  [
    { code: 'S', rate: '25.5' },
    { code: 'E', rate: '0' },
    { code: 'AE', rate: '0.00' },
  ],
  [
    { code: 'Z', rate: '0' },
    { code: 'K', rate: '0' },
    { code: 'G', rate: '0' },
  ],
];

const EXEMPTIONS: Readonly<Record<string, string>> = {
  E: 'VATEX-EU-132',
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

const BUSINESS_PROCESS = PROFILES['peppol-bis-3'].businessProcess!;

/** A discount for early payment. */
const SKONTO = '30 days\n#SKONTO#TAGE=14#PROZENT=2.00#\n';

/** Returns a valid invoice for a profile. The number decides its VAT categories and optional content. */
export function generatedInvoice(number: number, profile: EInvoiceProfile): PlainGroup {
  const random = randomFrom(number + 1);
  const chance = (probability: number) => random() < probability;
  const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const categories = CATEGORY_SETS[number % CATEGORY_SETS.length]!;
  const isBasic = profile === 'basic';
  const isCreditNote = number % 5 === 4;
  const isForeign = number % 7 === 3;
  const hasPeriod = chance(0.5);
  const codes = categories.map(({ code }) => code);

  const lines = Array.from({ length: Math.max(categories.length, integer(1, 5)) }, (_line, index) =>
    line(index, categories[index % categories.length]!),
  );
  const allowances = chance(0.5) ? [documentAmount('allowance'), documentAmount('allowance')] : [];
  const charges = chance(0.5) ? [documentAmount('charge')] : [];
  const breakdown = categories.map((category) => breakdownOf(category));

  const lineTotal = total(lines.map(({ net }) => net));
  const allowanceTotal = total(allowances.map(({ net }) => net));
  const chargeTotal = total(charges.map(({ net }) => net));
  const vat = total(breakdown.map(({ tax }) => tax));
  const net = lineTotal - allowanceTotal + chargeTotal;
  const paid = chance(0.4) ? Math.floor((net + vat) / 3) : undefined;
  const due = net + vat - (paid ?? 0);
  const rounding = chance(0.3) && !isBasic ? Math.round(due / 100) * 100 - due : undefined;

  return {
    'BT-1': `2026-${number}`,
    'BT-2': '2026-11-28',
    'BT-3': isCreditNote ? '381' : '380',
    'BT-5': 'EUR',
    ...(isForeign && !isBasic && { 'BT-6': 'SEK' }),
    ...(chance(0.3) && !isBasic ? { 'BT-7': '2026-11-27' } : chance(0.3) && !isBasic && { 'BT-8': '35' }),
    'BT-9': '2026-12-28',
    'BT-10': '04011000-12345-34',
    ...(chance(0.4) && { 'BT-12': 'C-7', 'BT-13': 'PO-9', 'BT-19': '4711' }),
    ...(chance(0.4) && !isBasic && { 'BT-11': 'P-1', 'BT-14': 'SO-1', 'BT-15': 'R-1', 'BT-17': 'L-1' }),
    ...(chance(0.4) && { 'BT-16': 'D-1' }),
    ...(chance(0.4) && !isBasic && { 'BT-18': { value: 'M-1', scheme: 'ABT' } }),
    'BT-20': profile === 'xrechnung' && number % 3 === 0 ? SKONTO : '30 days',
    ...(chance(0.4) && {
      'BG-1': [{ ...(chance(0.5) && { 'BT-21': 'AAI' }), 'BT-22': 'Thank you <& so long>' }],
    }),
    'BG-2': { 'BT-23': BUSINESS_PROCESS, 'BT-24': PROFILES[profile].specification },
    ...((isCreditNote || chance(0.2)) && { 'BG-3': [{ 'BT-25': '2026-0', 'BT-26': '2026-10-01' }] }),
    'BG-4': seller(),
    'BG-7': buyer(),
    ...(chance(0.2) && {
      'BG-10': {
        'BT-59': 'Factoring AG',
        'BT-60': { value: '4012345000009', scheme: '0088' },
        'BT-61': { value: 'HRB 77', scheme: '0002' },
      },
    }),
    ...(chance(0.2) && !codes.includes('O') && { 'BG-11': taxRepresentative() }),
    'BG-13': delivery(),
    'BG-16': payment(),
    ...(allowances.length > 0 && { 'BG-20': allowances.map(({ group }) => group) }),
    ...(charges.length > 0 && { 'BG-21': charges.map(({ group }) => group) }),
    'BG-22': {
      'BT-106': amount(lineTotal),
      ...(allowances.length > 0 && { 'BT-107': amount(allowanceTotal) }),
      ...(charges.length > 0 && { 'BT-108': amount(chargeTotal) }),
      'BT-109': amount(net),
      'BT-110': amount(vat),
      ...(isForeign && !isBasic && { 'BT-111': amount(vat * 11) }),
      'BT-112': amount(net + vat),
      ...(paid !== undefined && { 'BT-113': amount(paid) }),
      ...(rounding !== undefined && { 'BT-114': amount(rounding) }),
      'BT-115': amount(due + (rounding ?? 0)),
    },
    'BG-23': breakdown.map(({ group }) => group),
    ...(chance(0.3) &&
      !isBasic && { 'BG-24': [{ 'BT-122': 'Timesheet', 'BT-124': 'https://example.com/t.pdf' }] }),
    'BG-25': lines.map(({ group }) => group),
  };

  function line(index: number, category: Category): Line {
    const quantity = index === 2 ? 0 : chance(0.2) ? -integer(1, 5) * 1000 : integer(1, 30_000);
    const price = chance(0.15) ? 0 : integer(1, 999_999);
    const base = chance(0.3) ? 10 : 1;
    const gross = cents((quantity * price) / base / 100_000);
    const ownAllowance = chance(0.3) ? integer(1, 500) : 0;
    const ownCharge = chance(0.3) ? integer(1, 500) : 0;
    const value = gross - ownAllowance + ownCharge;
    return {
      category,
      net: value,
      group: {
        'BT-126': String(index + 1),
        ...(chance(0.3) && { 'BT-127': 'Delivered' }),
        ...(chance(0.3) &&
          !isBasic && { 'BT-128': { value: 'meter 7', scheme: 'ABT' }, 'BT-132': '4', 'BT-133': '4711' }),
        'BT-129': decimal(quantity, 3),
        'BT-130': 'HUR',
        'BT-131': amount(value),
        ...(hasPeriod && { 'BG-26': { 'BT-134': '2026-11-02', 'BT-135': '2026-11-27' } }),
        ...(ownAllowance > 0 && {
          'BG-27': [
            {
              'BT-136': amount(ownAllowance),
              ...(chance(0.5) && !isBasic && { 'BT-137': amount(ownAllowance * 10), 'BT-138': '10' }),
              ...(chance(0.5) ? { 'BT-139': 'Discount' } : { 'BT-140': '95' }),
            },
          ],
        }),
        ...(ownCharge > 0 && {
          'BG-28': [
            {
              'BT-141': amount(ownCharge),
              ...(chance(0.5) && !isBasic && { 'BT-142': amount(ownCharge * 5), 'BT-143': '20.0' }),
              ...(chance(0.5) ? { 'BT-144': 'Express' } : { 'BT-145': 'FC' }),
            },
          ],
        }),
        'BG-29': {
          'BT-146': decimal(price, 4),
          ...(chance(0.3) && { 'BT-147': '1.5000', 'BT-148': decimal(price + 15_000, 4) }),
          ...(base > 1 && { 'BT-149': String(base), ...(chance(0.5) && { 'BT-150': 'HUR' }) }),
        },
        'BG-30': { 'BT-151': category.code, ...(category.rate !== '' && { 'BT-152': category.rate }) },
        'BG-31': {
          'BT-153': `Item ${index}`,
          ...(chance(0.3) && { 'BT-157': { value: '4012345678901', scheme: '0160' } }),
          ...(chance(0.3) &&
            !isBasic && {
              'BT-154': 'Round',
              'BT-155': 'A-1',
              'BT-156': 'B-1',
              'BT-158': [{ value: '65434568', scheme: 'STI' }],
              'BT-159': 'DE',
              'BG-32': [{ 'BT-160': 'Color', 'BT-161': 'Red' }],
            }),
        },
      },
    };
  }

  function documentAmount(kind: 'allowance' | 'charge') {
    const category = categories[integer(0, categories.length - 1)]!;
    const base = integer(100, 5000);
    const isPercentage = chance(0.5);
    const value = isPercentage ? cents(base / 10) : integer(1, 900);
    const rate = category.rate;
    const group: PlainGroup =
      kind === 'allowance'
        ? {
            'BT-92': amount(value),
            ...(isPercentage && { 'BT-93': amount(base), 'BT-94': '10' }),
            'BT-95': category.code,
            ...(rate !== '' && { 'BT-96': rate }),
            ...(chance(0.5) ? { 'BT-97': 'Discount' } : { 'BT-98': '95' }),
          }
        : {
            'BT-99': amount(value),
            ...(isPercentage && { 'BT-100': amount(base), 'BT-101': '10' }),
            'BT-102': category.code,
            ...(rate !== '' && { 'BT-103': rate }),
            ...(chance(0.5) ? { 'BT-104': 'Freight' } : { 'BT-105': 'FC' }),
          };
    return { category, net: value, group };
  }

  function breakdownOf(category: Category) {
    const has = ({ category: other }: { category: Category }) => other === category;
    const nets = (entries: readonly { category: Category; net: number }[]) =>
      total(entries.filter(has).map(({ net: value }) => value));
    const taxable = nets(lines) - nets(allowances) + nets(charges);
    const tax = cents((taxable * Number(category.rate)) / 100);
    const reason = EXEMPTIONS[category.code];
    const group: PlainGroup = {
      'BT-116': amount(taxable),
      'BT-117': amount(tax),
      'BT-118': category.code,
      'BT-119': category.rate || '0',
      ...(reason !== undefined && (chance(0.5) ? { 'BT-121': reason } : { 'BT-120': 'No VAT' })),
    };
    return { tax, group };
  }

  function seller(): PlainGroup {
    return {
      'BT-27': 'Lieferant GmbH',
      ...(chance(0.5) && { 'BT-28': 'Lieferant' }),
      ...(chance(0.5) && { 'BT-29': [{ value: '7300010000001', scheme: '0088' }] }),
      'BT-30': 'HRB 123',
      ...(!codes.includes('O') && { 'BT-31': 'DE123456789' }),
      ...(chance(0.3) && !isBasic && { 'BT-32': '201/123/40212', 'BT-33': 'Geschäftsführer: M. Muster' }),
      'BT-34': { value: 'DE123456789', scheme: '9930' },
      'BG-5': {
        'BT-35': 'Hauptstr. 1',
        'BT-36': 'Haus B',
        'BT-37': 'Berlin',
        'BT-38': '10115',
        'BT-40': 'DE',
      },
      ...(!isBasic && {
        'BG-6': { 'BT-41': 'M. Muster', 'BT-42': '+49 30 1234567', 'BT-43': 'm@example.com' },
      }),
    };
  }

  function buyer(): PlainGroup {
    const country = codes.includes('G') ? 'US' : codes.includes('K') ? 'FR' : 'DE';
    return {
      'BT-44': 'Kunde AG',
      ...(chance(0.3) && !isBasic && { 'BT-45': 'Kunde' }),
      ...(chance(0.5) && { 'BT-46': { value: '7300010000001', scheme: '0088' } }),
      'BT-47': { value: 'HRB 9', scheme: '0002' },
      ...(codes.includes('K') && { 'BT-48': 'FR12345678901' }),
      'BT-49': { value: 'DE987654321', scheme: '9930' },
      'BG-8': { 'BT-50': 'Allee 2', 'BT-52': 'Hamburg', 'BT-53': '20095', 'BT-55': country },
      ...(chance(0.3) && !isBasic && { 'BG-9': { 'BT-56': 'B. Beispiel', 'BT-58': 'b@example.com' } }),
    };
  }

  function taxRepresentative(): PlainGroup {
    return {
      'BT-62': 'Fiskal GmbH',
      'BT-63': 'DE111111125',
      'BG-12': { 'BT-64': 'Weg 3', 'BT-66': 'Bonn', 'BT-67': '53111', 'BT-69': 'DE' },
    };
  }

  function delivery(): PlainGroup {
    return {
      ...(chance(0.5) && { 'BT-70': 'Kunde AG, Lager', 'BT-71': { value: '7300010000001', scheme: '0088' } }),
      'BT-72': '2026-11-26',
      ...(hasPeriod && { 'BG-14': { 'BT-73': '2026-11-01', 'BT-74': '2026-11-30' } }),
      ...((codes.includes('K') || chance(0.5)) && {
        'BG-15': { 'BT-75': 'Tor 1', 'BT-77': 'Lyon', 'BT-78': '69001', 'BT-80': 'FR' },
      }),
    };
  }

  function payment(): PlainGroup {
    const kind = (number + Math.floor(number / CATEGORY_SETS.length)) % (isBasic ? 2 : 4);
    if (kind === 1) {
      const debit = { 'BT-89': 'M-77', 'BT-90': 'DE98ZZZ09999999999', 'BT-91': 'DE75512108001245126199' };
      return { 'BT-81': '59', 'BG-19': debit };
    }
    if (kind === 2) return { 'BT-81': '48', 'BG-18': { 'BT-87': '1234567890', 'BT-88': 'M. Muster' } };
    const account: PlainGroup = {
      'BT-84': 'DE02120300000000202051',
      ...(!isBasic && { 'BT-85': 'Lieferant GmbH' }),
    };
    if (!isBasic && chance(0.5)) account['BT-86'] = 'BYLADEM1001';
    return {
      'BT-81': '58',
      ...(!isBasic && { 'BT-82': 'SEPA credit transfer' }),
      'BT-83': `R ${number}`,
      'BG-17': chance(0.3) && !isBasic ? [account, { 'BT-84': 'DE75512108001245126199' }] : [account],
    };
  }
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Rounds half away from zero. */
function cents(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value)) + 0;
}

function amount(value: number): string {
  return decimal(value, 2);
}

/** Writes an integer number of units with `places` decimal places. */
function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  const sign = value < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
