import { describe, expect, it } from 'vitest';
import { loadPrices } from './prices.ts';

describe('loadPrices', () => {
  it('returns no prices by default', () => {
    expect(loadPrices({})).toEqual({ units: {} });
  });

  it('reads prices by unit, with their currency', () => {
    const environment = {
      TRIFOLD_PRICE_PDF: '0.015',
      TRIFOLD_PRICE_EMAIL: '1',
      TRIFOLD_PRICE_CURRENCY: 'EUR',
    };
    const units = { pdf: { digits: 15n, scale: 3 }, email: { digits: 1n, scale: 0 } };
    expect(loadPrices(environment)).toEqual({ currency: 'EUR', units });
  });

  it('requires a currency', () => {
    expect(() => loadPrices({ TRIFOLD_PRICE_PNG: '0.02' })).toThrow('TRIFOLD_PRICE_CURRENCY must be set');
  });

  it('reports every error at once', () => {
    const load = () => loadPrices({ TRIFOLD_PRICE_HTML: '1,5', TRIFOLD_PRICE_CURRENCY: 'euro' });
    expect(load).toThrow('TRIFOLD_PRICE_HTML must be a number such as 0.015');
    expect(load).toThrow('TRIFOLD_PRICE_CURRENCY must be the three letters');
  });
});
