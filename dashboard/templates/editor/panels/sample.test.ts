import { describe, expect, it } from 'vitest';
import { sampleFromSchema } from './sample-from-schema.ts';

describe('Sample data from a schema', () => {
  it('satisfies types, formats, limits and patterns', () => {
    const fields = [
      { name: 'invoice_number', type: 'string', pattern: String.raw`^[A-Z]{2,4}-\d{4}-\d{3,}$` },
      { name: 'either', type: 'string', pattern: '^(a|b)$' },
      { name: 'firstName', type: 'string', maxLength: 5 },
      { name: 'due', type: 'string', format: 'date' },
      { name: 'count', type: 'number', integer: true, max: 3 },
      { name: 'rate', type: 'number', min: 20 },
      { name: 'paid', type: 'boolean', default: false },
      { name: 'tags', type: 'array', items: { type: 'string' }, minItems: 3 },
      { name: 'address', type: 'object', properties: { street: {} } },
    ];
    expect(sampleFromSchema({ fields })).toEqual({
      invoice_number: 'AA-1111-111',
      either: 'Either',
      firstName: 'First',
      due: '2026-01-31',
      count: 3,
      rate: 20,
      paid: false,
      tags: ['Tags 1', 'Tags 2', 'Tags 3'],
      address: { street: 'Street' },
    });
    expect(sampleFromSchema(null)).toEqual({});
  });
});
