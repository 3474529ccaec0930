import type { GroupId, TermId } from '../invoice.ts';
import type { ValueRule } from './rule.ts';

/** An identification scheme whose numbers Peppol checks. */
interface Scheme {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly isValid: (value: string) => boolean;
}

const SCHEMES: readonly Scheme[] = [
  { id: 'R040', code: '0088', name: 'GLN', isValid: isGln },
  { id: 'R041', code: '0192', name: 'Norwegian organization number', isValid: isNorwegian },
  { id: 'R042', code: '0184', name: 'Danish CVR number', isValid: (value) => /^(DK)?\d{8}$/.test(value) },
  { id: 'R043', code: '0208', name: 'Belgian enterprise number', isValid: isBelgian },
  { id: 'R049', code: '0007', name: 'Swedish organization number', isValid: isSwedish },
  { id: 'R050', code: '0151', name: 'Australian Business Number', isValid: isAustralian },
  { id: 'R052', code: '0096', name: 'Danish P number', isValid: (value) => /^\d{10}$/.test(value) },
  { id: 'R053', code: '0198', name: 'Danish SE number', isValid: (value) => /^DK\d{8}$/.test(value) },
];

/** Terms with a scheme: the parties' electronic addresses, identifiers and legal registrations. */
const PLACES: readonly (readonly [GroupId, TermId])[] = [
  ['BG-4', 'BT-34'],
  ['BG-4', 'BT-29'],
  ['BG-4', 'BT-30'],
  ['BG-7', 'BT-49'],
  ['BG-7', 'BT-46'],
  ['BG-7', 'BT-47'],
  ['BG-10', 'BT-60'],
  ['BG-10', 'BT-61'],
];

/** PEPPOL-COMMON-R040 to R053. */
export const CHECK_DIGIT_RULES: readonly ValueRule[] = SCHEMES.flatMap(({ id, code, name, isValid }) =>
  PLACES.map(([group, term]) => ({
    id: `PEPPOL-COMMON-${id}`,
    group,
    term,
    allows: ({ value, scheme }) => scheme !== code || isValid(value),
    message: ({ value }) => `“${value}” is not a valid ${name}.`,
  })),
);

function digitsOf(value: string): number[] {
  return Array.from(value, Number);
}

/** Sum of the digits times their weights, from the last digit to the first. */
function weighted(digits: readonly number[], weight: (index: number) => number): number {
  return digits.toReversed().reduce((sum, digit, index) => sum + digit * weight(index), 0);
}

function isGln(value: string): boolean {
  if (!/^\d+$/.test(value)) return false;
  const digits = digitsOf(value);
  const check = digits.pop();
  return (10 - (weighted(digits, (index) => (index % 2 === 0 ? 3 : 1)) % 10)) % 10 === check;
}

function isNorwegian(value: string): boolean {
  if (!/^\d{9}$/.test(value)) return false;
  const digits = digitsOf(value);
  const check = digits.pop();
  return Number(value) > 0 && (11 - (weighted(digits, (index) => (index % 6) + 2) % 11)) % 11 === check;
}

function isBelgian(value: string): boolean {
  return /^\d{10}$/.test(value) && 97 - (Number(value.slice(0, 8)) % 97) === Number(value.slice(8));
}

/** The Luhn algorithm. */
function isSwedish(value: string): boolean {
  if (!/^\d{10}$/.test(value)) return false;
  const doubled = digitsOf(value).map((digit, index) => (index % 2 === 0 ? digit * 2 : digit));
  return doubled.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0;
}

const AUSTRALIAN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

function isAustralian(value: string): boolean {
  if (!/^\d{11}$/.test(value)) return false;
  const digits = digitsOf(value);
  const sum = AUSTRALIAN_WEIGHTS.reduce(
    (total, weight, index) => total + weight * ((digits[index] ?? 0) - (index === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}
