import { describe, expect, it } from 'vitest';
import { formatJson } from '../../json-text.ts';
import { completedData, schemaWithData } from '../draft/from-template.ts';
import { sampleFromSchema } from './sample-from-schema.ts';

it('Sample data from a schema satisfies types, formats, limits and patterns', () => {
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
    count: 2,
    rate: 20,
    paid: false,
    tags: ['Tags 1', 'Tags 2', 'Tags 3'],
    address: { street: 'Street' },
  });
  expect(sampleFromSchema(null)).toEqual({});
});

describe('Data from a template', () => {
  const html = `{{!-- {{ignored}} --}}<h1>{{number}}</h1>{{formatDate issued "long"}}
    {{#each order.lines as |line|}}{{line.text}}{{formatCurrency line.price ../currency}}{{@index}}{{else}}{{none}}{{/each}}
    {{#if note}}{{note}}{{/if}}{{#if paid}}Paid{{/if}}{{#eq status "open"}}{{join tags}}{{/eq}}{{#gt rate 0.1}}!{{/gt}}
    {{formatNumber (multiply (sum items "total") @root.rate) decimals=2 locale=customer.locale}}
    {{#rows}}<td>{{.}}</td>{{/rows}}{{^rows}}{{empty}}{{/rows}}{{#*inline "x"}}{{inner}}{{/inline}}`;
  const options = '{"footer": {"enabled": true, "content": "{{page}} {{company}}"}}';

  it('has everything that the bindings need, with the types that the helpers expect', () => {
    const { schema, data } = completedData({ html, options }, { schema: '', data: '{}' }) ?? {};
    const of = (type: string) => ({ type });
    const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
    const text = of('string');
    expect(JSON.parse(schema ?? '')).toEqual({
      fields: [
        { name: 'number', type: 'string' },
        { name: 'issued', type: 'string', format: 'date' },
        { name: 'order', type: 'object', properties: { lines: list({ text, price: of('number') }) } },
        { name: 'currency', type: 'string' },
        { name: 'none', type: 'string' },
        { name: 'note', type: 'string' },
        { name: 'paid', type: 'boolean' },
        { name: 'status', type: 'string' },
        { name: 'tags', type: 'array', items: text },
        { name: 'rate', type: 'number' },
        { name: 'items', ...list({ total: of('number') }) },
        { name: 'customer', type: 'object', properties: { locale: text } },
        { name: 'rows', type: 'array', items: text },
        { name: 'empty', type: 'string' },
        { name: 'company', type: 'string' },
      ],
    });
    const items = [{ total: 12.5 }, {}];
    expect(JSON.parse(data ?? '')).toMatchObject({ issued: '2026-01-31', rate: 0.19, items });
  });

  it('keeps the existing schema and data', () => {
    const schema = formatJson({ fields: [{ name: 'number', type: 'string', pattern: '^A$' }] });
    const data = '{"number": 5, "order": {"lines": [{"text": "Desk"}, {"price": 1}]}}';
    const completed = completedData({ html }, { schema, data });
    const { fields } = JSON.parse(completed?.schema ?? '') as { fields: object[] };
    expect([fields[0], fields.length]).toEqual([{ name: 'number', type: 'string', pattern: '^A$' }, 14]);
    expect(JSON.parse(completed?.data ?? '')).toMatchObject({
      number: 5,
      order: {
        lines: [
          { text: 'Desk', price: 12.5 },
          { text: 'Text', price: 1 },
        ],
      },
    });
    expect(completedData({ html }, { schema, data: '{' })).toBeUndefined();
  });

  it('adds the fields of the data to the schema', () => {
    const data = '{"paid": true, "none": null, "lines": [{"qty": 1}, {"text": "Desk"}], "tags": []}';
    expect(JSON.parse(schemaWithData({ schema: '', data }) ?? '')).toEqual({
      fields: [
        { name: 'paid', type: 'boolean' },
        {
          name: 'lines',
          type: 'array',
          items: { type: 'object', properties: { qty: { type: 'number' }, text: { type: 'string' } } },
        },
        { name: 'tags', type: 'array' },
      ],
    });
  });
});
