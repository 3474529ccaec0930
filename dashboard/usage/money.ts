const LANGUAGE = document.documentElement.lang || 'en';
const MOST_DIGITS = 20;

/** Formats an exact decimal amount with all its digits: "€0.015". */
export function formatMoney(amount: string, currency: string): string {
  const format = new Intl.NumberFormat(LANGUAGE, {
    style: 'currency',
    currency,
    maximumFractionDigits: MOST_DIGITS,
  });
  // A string, because a number would lose digits.
  return format.format(amount as `${number}`);
}
