import { DEFAULT_LOCALE } from '@trifold/crds/limits.ts';
import type { DeclaredInvoice } from '@trifold/platform/e-invoices/declared-invoice.ts';
import { termTitle } from '@trifold/platform/e-invoices/terms/terms.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import type { DocumentPage } from '../browser/page/document-page.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import type { ShownText } from '../browser/page/shown-text.ts';
import { runInSlices, type SlicedWork } from '../time-slices.ts';
import { amountPattern, closestAmount, formattedAmount } from './printed-amount.ts';
import { formattedDate, hasDate } from './printed-date.ts';
import { closestNumber, hasNumber, isSearchable } from './printed-number.ts';
import { PrintedText } from './printed-text.ts';

/** A declared value that has not been found yet. */
interface SearchedValue {
  readonly term: keyof DeclaredInvoice;
  /** As in the XML. */
  readonly declared: string;
  /** Returns the value as the locale writes it. */
  readonly expected: () => string;
  readonly isIn: (text: PrintedText, locales: readonly string[]) => boolean;
  readonly closestIn?: (text: PrintedText) => string | undefined;
  /** What the pages show instead. */
  closest?: string | undefined;
}

/** Searches a document's pages, headers and footers for the values that its e-invoice declares. */
export class DeclaredSearch {
  readonly #locale: string;
  #missing: readonly SearchedValue[];
  /** Whether all text could be read. */
  #isComplete = true;

  /** `locale`: the document's. */
  constructor(declared: DeclaredInvoice, locale = DEFAULT_LOCALE) {
    this.#locale = locale;
    this.#missing = searchedValues(declared, locale);
  }

  /** Searches the text that a page shows, unless all values have been found. Never rejects. */
  async read(page: Pick<DocumentPage, 'shownText'>): Promise<void> {
    if (this.#missing.length === 0) return;
    try {
      const shown = await page.shownText();
      if (shown) await runInSlices(this.#search(shown));
      else this.#isComplete = false;
    } catch {
      this.#isComplete = false;
    }
  }

  /** Warnings about the values that no text contains; none if some text could not be read. */
  warnings(): FoundWarning[] {
    return this.#isComplete ? this.#missing.map(differenceWarning) : [];
  }

  *#search({ text, language }: ShownText): SlicedWork<void> {
    const printed = new PrintedText(text, this.#locale);
    const locales = [this.#locale, ...(isLocale(language) ? [language] : [])];
    const missing: SearchedValue[] = [];
    for (const value of this.#missing) {
      yield;
      if (value.isIn(printed, locales)) continue;
      missing.push(value);
      value.closest ??= value.closestIn?.(printed);
    }
    this.#missing = missing;
  }
}

function searchedValues(declared: DeclaredInvoice, locale: string): SearchedValue[] {
  const { 'BT-1': number, 'BT-2': date, 'BT-5': currency = 'EUR' } = declared;
  return [
    ...(number === undefined ? [] : searchedNumber(number, locale)),
    ...(date === undefined ? [] : [searchedDate(date, locale)]),
    ...(['BT-110', 'BT-115'] as const).flatMap((term) => {
      const value = declared[term];
      // Invoices often show no VAT instead of 0.00, or "Paid".
      if (value === undefined || Number(value) === 0) return [];
      return [searchedAmount(term, value, { currency, locale })];
    }),
  ];
}

function searchedNumber(declared: string, locale: string): SearchedValue[] {
  const number = new PrintedText(declared, locale);
  if (!isSearchable(number)) return [];
  return [
    {
      term: 'BT-1',
      declared,
      expected: () => declared,
      isIn: (text) => hasNumber(text, number),
      closestIn: (text) => closestNumber(text, number),
    },
  ];
}

function searchedDate(declared: string, locale: string): SearchedValue {
  return {
    term: 'BT-2',
    declared,
    expected: () => formattedDate(declared, locale),
    isIn: (text, locales) => hasDate(text, declared, locales),
  };
}

function searchedAmount(
  term: 'BT-110' | 'BT-115',
  declared: string,
  { currency, locale }: { readonly currency: string; readonly locale: string },
): SearchedValue {
  const amount = { value: declared, currency };
  const pattern = amountPattern(amount, locale);
  return {
    term,
    declared,
    expected: () => formattedAmount(amount, locale),
    isIn: ({ text }) => pattern.test(text),
    closestIn: ({ text }) => closestAmount(text, amount, locale),
  };
}

function differenceWarning({ term, declared, expected, closest }: SearchedValue): FoundWarning {
  const name = termTitle(term);
  const shown =
    closest === undefined
      ? `the pages do not show ${expected()}`
      : `the closest value on the pages is ${closest}`;
  return {
    code: 'invoice_differs',
    message: `${name} is ${declared} in the e-invoice, but ${shown}.`,
    name,
    part: 'e_invoice',
  };
}

function isLocale(language: string | undefined): language is string {
  return language !== undefined && language !== '' && findLocaleProblem({ locale: language }) === undefined;
}
