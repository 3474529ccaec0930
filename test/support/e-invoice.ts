/** The `e_invoice` of a template whose documents have an invoice with lines and one VAT rate. */
export const E_INVOICE = {
  format: 'factur-x',
  profile: 'en16931',
  syntax: 'cii',
  mapping: {
    'BT-1 invoice number': '{{number}}',
    'BT-2 invoice issue date': '{{date}}',
    'BT-3 invoice type code': '380',
    'BT-5 invoice currency code': 'EUR',
    'BT-9 payment due date': '{{due}}',
    'BG-4 seller': {
      'BT-27 seller name': 'Example GmbH',
      'BT-31 seller VAT identifier': 'DE123456789',
      'BG-5 seller postal address': {
        'BT-37 seller city': 'Berlin',
        'BT-38 seller post code': '10115',
        'BT-40 seller country code': 'DE',
      },
    },
    'BG-7 buyer': {
      'BT-44 buyer name': '{{buyer.name}}',
      'BG-8 buyer postal address': {
        'BT-52 buyer city': '{{buyer.city}}',
        'BT-53 buyer post code': '{{buyer.postCode}}',
        'BT-55 buyer country code': '{{buyer.country}}',
      },
    },
    'BG-22 document totals': {
      'BT-106 sum of invoice line net amount': '{{net}}',
      'BT-109 invoice total amount without VAT': '{{net}}',
      'BT-110 invoice total VAT amount': '{{vat}}',
      'BT-112 invoice total amount with VAT': '{{total}}',
      'BT-115 amount due for payment': '{{total}}',
    },
    'BG-23 VAT breakdown': [
      {
        'BT-116 VAT category taxable amount': '{{net}}',
        'BT-117 VAT category tax amount': '{{vat}}',
        'BT-118 VAT category code': 'S',
        'BT-119 VAT category rate': '19',
      },
    ],
    'BG-25 invoice line': {
      each: 'lines',
      item: {
        'BT-126 invoice line identifier': '{{id}}',
        'BT-129 invoiced quantity': '{{quantity}}',
        'BT-130 invoiced quantity unit of measure code': 'H87',
        'BT-131 invoice line net amount': '{{net}}',
        'BG-29 price details': { 'BT-146 item net price': '{{price}}' },
        'BG-30 line VAT information': {
          'BT-151 invoiced item VAT category code': 'S',
          'BT-152 invoiced item VAT rate': '19',
        },
        'BG-31 item information': { 'BT-153 item name': '{{name}}' },
      },
    },
  },
} as const;

/** Data for a valid invoice. */
export const INVOICE_DATA = {
  number: 'INV-2026-0042',
  date: '2026-11-28',
  due: '2026-12-28',
  buyer: { name: 'Muster & Söhne KG', city: 'Hamburg', postCode: '20095', country: 'DE' },
  lines: [
    { id: '1', name: 'Desk lamp', quantity: '3', price: '39.90', net: '119.70' },
    { id: '2', name: 'Light bulb <E27>', quantity: '10', price: '2.50', net: '25.00' },
  ],
  net: '144.70',
  vat: '27.49',
  total: '172.19',
};

/** The same data with a total that does not match. */
export const WRONG_TOTAL = { ...INVOICE_DATA, total: '200.00' };
