import { DOCUMENT_FORMATS, FORMATS, type DocumentFormat } from '@trifold/crds/schema/document-format.ts';
import type { ChartSetting, Settings } from './setting.ts';
import { currencyCode, decimal } from './setting-forms.ts';

/** Name of the setting with the price of a document in this format. */
export const priceSetting = <Format extends DocumentFormat>(format: Format) =>
  `TRIFOLD_PRICE_${format.toUpperCase() as Uppercase<Format>}` as const;

interface PriceSetting {
  readonly type: typeof decimal;
  readonly doc: string;
  readonly chart: ChartSetting;
}

const PRICES_OF_FORMATS = Object.fromEntries(
  DOCUMENT_FORMATS.map((format) => [
    priceSetting(format),
    {
      type: decimal,
      doc: `Price of one ${FORMATS[format].billedAs} document generated with a live key.`,
      chart: { value: `gateway.config.prices.${format}` },
    },
  ]),
) as Readonly<Record<`TRIFOLD_PRICE_${Uppercase<DocumentFormat>}`, PriceSetting>>;

/** Prices of documents and emails. */
export const PRICES = {
  TRIFOLD_PRICE_CURRENCY: {
    type: currencyCode,
    doc: 'Currency for prices, as a three-letter code such as `EUR`; required when a price is set. Prices are numbers such as `0.015`, with at most eight digits after the point. Without a price, `GET /v1/billing` shows units but no amounts.',
    chart: { value: 'gateway.config.prices.currency' },
  },
  ...PRICES_OF_FORMATS,
  TRIFOLD_PRICE_EMAIL: {
    type: decimal,
    doc: 'Price of an email compiled with a live key.',
    chart: { value: 'gateway.config.prices.email' },
  },
} as const satisfies Settings;
