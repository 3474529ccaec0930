/** Data of a German invoice with two VAT rates. */
export const PLAIN_DATA = {
  number: 'R-2026-0042',
  issued: '2026-11-28',
  due: '2026-12-28',
  buyerReference: '04011000-12345-03',
  seller: {
    name: 'Nordlicht Software GmbH',
    street: 'Hafenstraße 12',
    zip: '20457',
    city: 'Hamburg',
    vatId: 'DE123456789',
    email: 'rechnung@nordlicht.example',
    contact: 'Anna Berg',
    phone: '+49 40 1234567',
    iban: 'DE89370400440532013000',
  },
  buyer: {
    name: 'Müller & Söhne <Bau> AG',
    street: 'Königsallee 1',
    zip: '40212',
    city: 'Düsseldorf',
    email: 'einkauf@mueller.example',
  },
  lines: [
    { name: 'Support', quantity: 10, unit: 'HUR', price: 95.5, total: 955, rate: 19 },
    { name: 'Handbook', quantity: 2, unit: 'H87', price: 24.9, total: 49.8, rate: 7 },
  ],
  vat: [
    { rate: 19, base: 955, tax: 181.45 },
    { rate: 7, base: 49.8, tax: '3.49' },
  ],
  net: 1004.8,
  tax: 184.94,
  gross: 1189.74,
};

/** Maps `PLAIN_DATA`; complete for every profile. */
export const PLAIN_MAPPING = {
  'BT-1 invoice number': '{{number}}',
  'BT-2 invoice issue date': '{{issued}}',
  'BT-3 invoice type code': '380',
  'BT-5 invoice currency code': 'EUR',
  'BT-9 payment due date': '{{due}}',
  'BT-10 buyer reference': '{{buyerReference}}',
  'BT-13 purchase order reference': '{{order.number}}',
  'BG-1 invoice note': [{ 'BT-22 invoice note': 'Invoice {{number}} of {{seller.name}}' }],
  'BG-4 seller': {
    'BT-27 seller name': '{{seller.name}}',
    'BT-31 seller VAT identifier': '{{seller.vatId}}',
    'BT-34 seller electronic address': { value: '{{seller.email}}', scheme: 'EM' },
    'BG-5 seller postal address': {
      'BT-35 seller address line 1': '{{seller.street}}',
      'BT-37 seller city': '{{seller.city}}',
      'BT-38 seller post code': '{{seller.zip}}',
      'BT-40 seller country code': 'DE',
    },
    'BG-6 seller contact': {
      'BT-41 seller contact point': '{{seller.contact}}',
      'BT-42 seller contact telephone number': '{{seller.phone}}',
      'BT-43 seller contact email address': '{{seller.email}}',
    },
  },
  'BG-7 buyer': {
    'BT-44 buyer name': '{{buyer.name}}',
    'BT-49 buyer electronic address': { value: '{{buyer.email}}', scheme: 'EM' },
    'BG-8 buyer postal address': {
      'BT-50 buyer address line 1': '{{buyer.street}}',
      'BT-52 buyer city': '{{buyer.city}}',
      'BT-53 buyer post code': '{{buyer.zip}}',
      'BT-55 buyer country code': 'DE',
    },
  },
  'BG-13 delivery information': { 'BT-72 actual delivery date': '{{default delivered issued}}' },
  'BG-16 payment instructions': {
    'BT-81 payment means type code': '58',
    'BT-83 remittance information': '{{number}}',
    'BG-17 credit transfer': { 'BT-84 payment account identifier': '{{seller.iban}}' },
  },
  'BG-22 document totals': {
    'BT-106 sum of invoice line net amount': '{{net}}',
    'BT-109 invoice total amount without VAT': '{{net}}',
    'BT-110 invoice total VAT amount': '{{tax}}',
    'BT-112 invoice total amount with VAT': '{{gross}}',
    'BT-115 amount due for payment': '{{gross}}',
  },
  'BG-23 VAT breakdown': {
    each: 'vat',
    item: {
      'BT-116 VAT category taxable amount': '{{base}}',
      'BT-117 VAT category tax amount': '{{tax}}',
      'BT-118 VAT category code': 'S',
      'BT-119 VAT category rate': '{{rate}}',
    },
  },
  'BG-25 invoice line': {
    each: 'lines',
    item: {
      'BT-126 invoice line identifier': '{{add @index 1}}',
      'BT-129 invoiced quantity': '{{quantity}}',
      'BT-130 invoiced quantity unit of measure code': '{{unit}}',
      'BT-131 invoice line net amount': '{{total}}',
      'BG-29 price details': { 'BT-146 item net price': '{{price}}' },
      'BG-30 line VAT information': {
        'BT-151 invoiced item VAT category code': 'S',
        'BT-152 invoiced item VAT rate': '{{rate}}',
      },
      'BG-31 item information': { 'BT-153 item name': '{{name}}' },
    },
  },
};
