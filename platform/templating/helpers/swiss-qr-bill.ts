import Handlebars from 'handlebars';
import { helperFailure, isMissing, toText, type HelperCallArguments } from './arguments.ts';
import { draw } from './code-drawing.ts';
import { isCreditorReference, PaymentArguments } from './payment-data.ts';

const HELPER = 'swissQrBill';

/** Headings of the bill (Swiss Implementation Guidelines QR-bill 2.3, annex D). */
const HEADINGS = {
  en: {
    receipt: 'Receipt',
    payment: 'Payment part',
    account: 'Account / Payable to',
    reference: 'Reference',
    message: 'Additional information',
    debtor: 'Payable by',
    noDebtor: 'Payable by (name/address)',
    currency: 'Currency',
    amount: 'Amount',
    acceptance: 'Acceptance point',
  },
  de: {
    receipt: 'Empfangsschein',
    payment: 'Zahlteil',
    account: 'Konto / Zahlbar an',
    reference: 'Referenz',
    message: 'Zusätzliche Informationen',
    debtor: 'Zahlbar durch',
    noDebtor: 'Zahlbar durch (Name/Adresse)',
    currency: 'Währung',
    amount: 'Betrag',
    acceptance: 'Annahmestelle',
  },
  fr: {
    receipt: 'Récépissé',
    payment: 'Section paiement',
    account: 'Compte / Payable à',
    reference: 'Référence',
    message: 'Informations supplémentaires',
    debtor: 'Payable par',
    noDebtor: 'Payable par (nom/adresse)',
    currency: 'Monnaie',
    amount: 'Montant',
    acceptance: 'Point de dépôt',
  },
  it: {
    receipt: 'Ricevuta',
    payment: 'Sezione pagamento',
    account: 'Conto / Pagabile a',
    reference: 'Riferimento',
    message: 'Informazioni supplementari',
    debtor: 'Pagabile da',
    noDebtor: 'Pagabile da (nome/indirizzo)',
    currency: 'Valuta',
    amount: 'Importo',
    acceptance: 'Punto di accettazione',
  },
};
type Headings = (typeof HEADINGS)['en'];

/** Basic Latin to Latin Extended-A, and the characters that the guidelines add. */
const NOT_ALLOWED = /[^\u0020-\u007e\u00a0-\u017fȘșȚț€]/;

interface Party {
  readonly name: string;
  readonly street: string;
  readonly buildingNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
}

interface Bill {
  readonly iban: string;
  readonly creditor: Party;
  readonly debtor: Party | undefined;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
  readonly message: string;
  readonly headings: Headings;
}

/** Returns the receipt and payment part of a Swiss QR-bill, 210 × 105 mm, as HTML with the code as SVG. */
export function swissQrBill({ named }: HelperCallArguments): Handlebars.SafeString {
  const call = new PaymentArguments(HELPER, named);
  const languages = Object.keys(HEADINGS) as [keyof typeof HEADINGS];
  const [language] = toText(HELPER, named['locale']).split('-') as [keyof typeof HEADINGS];
  const isKnown = isMissing(named['language']) && Object.hasOwn(HEADINGS, language);
  const bill: Bill = {
    iban: swissIban(call),
    creditor: readParty('creditor', named['creditor']) ?? call.fail('creditor= is missing'),
    debtor: readParty('debtor', named['debtor']),
    amount: call.amount(),
    currency: call.choice('currency', ['CHF', 'EUR']),
    reference: call.compact('reference'),
    message: call.line('message', 140),
    headings: HEADINGS[isKnown ? language : call.choice('language', languages)],
  };
  const text = billText(bill, referenceType(call, bill));
  if (NOT_ALLOWED.test(text.replaceAll('\n', ''))) {
    call.fail('a value has characters that the Swiss QR-bill does not allow');
  }
  return new Handlebars.SafeString(layOut(bill, draw(HELPER, { bcid: 'swissqrcode', text })));
}

function swissIban(call: PaymentArguments): string {
  const iban = call.iban();
  return /^(CH|LI).{19}$/.test(iban)
    ? iban
    : call.fail('iban= is not an IBAN of Switzerland or Liechtenstein');
}

/** Reads an address with the properties of the guidelines' "structured address". */
function readParty(name: string, value: unknown): Party | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value !== 'object') throw helperFailure(HELPER, `${name}= is not an object`);
  const properties = Object.entries(value).map(([key, text]) => [`${name}.${key}`, text] as const);
  const party = new PaymentArguments(HELPER, Object.fromEntries(properties));
  const country = party.requiredLine(`${name}.country`, 2).toUpperCase();
  if (!/^[A-Z]{2}$/.test(country)) party.fail(`${name}.country= is not a two-letter code`);
  return {
    name: party.requiredLine(`${name}.name`, 70),
    street: party.line(`${name}.street`, 70),
    buildingNumber: party.line(`${name}.building_number`, 16),
    zip: party.requiredLine(`${name}.zip`, 16),
    city: party.requiredLine(`${name}.city`, 35),
    country,
  };
}

/** A QR-IBAN, whose institution has a number from 30000 to 31999, requires a QR reference; no other IBAN has one. */
function referenceType(call: PaymentArguments, { iban, reference }: Bill): 'QRR' | 'SCOR' | 'NON' {
  if (/^..(..)3[01]/.test(iban)) {
    return isQrReference(reference)
      ? 'QRR'
      : call.fail('this iban= requires reference= with a 27-digit QR reference');
  }
  if (reference === '') return 'NON';
  if (isCreditorReference(reference)) return 'SCOR';
  return call.fail('reference= is not a creditor reference (ISO 11649) with valid check digits');
}

/** 26 digits and a check digit (modulo 10, recursive). */
function isQrReference(reference: string): boolean {
  if (!/^\d{27}$/.test(reference)) return false;
  const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];
  const carry = reference
    .slice(0, 26)
    .split('')
    .reduce((sum, digit) => table[(sum + Number(digit)) % 10] ?? 0, 0);
  return (10 - carry) % 10 === Number(reference[26]);
}

/** Returns the code's content (guidelines, 4.2.2). */
function billText(bill: Bill, type: 'QRR' | 'SCOR' | 'NON'): string {
  const noParty = Array.from({ length: 7 }, () => '');
  const lines = (party: Party | undefined) =>
    party ? ['S', ...Object.values<string>({ ...party })] : noParty;
  const head = ['SPC', '0200', '1', bill.iban, ...lines(bill.creditor), ...noParty];
  const payment = [bill.amount, bill.currency, ...lines(bill.debtor)];
  return [...head, ...payment, type, bill.reference, bill.message, 'EPD'].join('\n');
}

/** Grouped for readability: accounts and creditor references by 4, QR references by 5 from the end. */
function grouped(text: string, size: number): string {
  const first = text.length % size || size;
  const rest = text.slice(first).match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  return [text.slice(0, first), ...rest].join(' ');
}

const byFour = (text: string) => (text.match(/.{1,4}/g) ?? []).join(' ');
const escape = (text: string) => Handlebars.escapeExpression(text);

function box(place: string, style: string, content: string): string {
  const [left, top, width, height] = place.split(' ');
  return (
    `<div style="position:absolute;left:${left}mm;top:${top}mm;width:${width}mm;height:${height}mm;${style}">` +
    `${content}</div>`
  );
}

/** Corner marks of a field that the payer fills in by hand. */
function emptyField(width: number, height: number): string {
  const corner = (x: number, y: number, toX: number, toY: number) => `M${x + toX} ${y}H${x}V${y + toY}`;
  const marks =
    corner(0, 0, 3, 2) + corner(width, 0, -3, 2) + corner(0, height, 3, -2) + corner(width, height, -3, -2);
  return (
    `<svg style="display:block;width:${width}mm;height:${height}mm" viewBox="-0.2 -0.2 ${width + 0.4} ${height + 0.4}">` +
    `<path d="${marks}" fill="none" stroke="#000" stroke-width="0.26"/></svg>`
  );
}

/** Font sizes of a part's headings and values, in points. */
function section(heading: string, content: string, headingPoints: number): string {
  const style = `font-size:${headingPoints}pt;font-weight:bold`;
  return `<div style="margin-bottom:${headingPoints + 1}pt"><div style="${style}">${heading}</div>${content}</div>`;
}

function partyLines({ name, street, buildingNumber, zip, city, country }: Party): string {
  const place = country === 'CH' || country === 'LI' ? `${zip} ${city}` : `${country}-${zip} ${city}`;
  return [name, `${street} ${buildingNumber}`.trim(), place].filter(Boolean).map(escape).join('<br>');
}

function information(bill: Bill, { points, field }: { points: number; field: [number, number] }): string {
  const { headings, reference, debtor } = bill;
  const by5 = /^\d{27}$/.test(reference);
  const account = `${byFour(bill.iban)}<br>${partyLines(bill.creditor)}`;
  return [
    section(headings.account, account, points),
    reference && section(headings.reference, by5 ? grouped(reference, 5) : byFour(reference), points),
    points > 6 && bill.message && section(headings.message, escape(bill.message), points),
    debtor
      ? section(headings.debtor, partyLines(debtor), points)
      : section(headings.noDebtor, emptyField(...field), points),
  ]
    .filter(Boolean)
    .join('');
}

function amounts(bill: Bill, points: number, field: [number, number]): string {
  const [whole = '', decimals] = bill.amount.split('.');
  const amount = bill.amount ? `${grouped(whole, 3)}.${decimals}` : emptyField(...field);
  return (
    `<div style="display:flex;gap:4mm">${section(bill.headings.currency, bill.currency, points)}` +
    `${section(bill.headings.amount, amount, points)}</div>`
  );
}

/** Positions and sizes follow the guidelines, 3.4 to 3.6, in millimeters and points. */
function layOut(bill: Bill, code: string): string {
  const { headings } = bill;
  const title = 'font-size:11pt;font-weight:bold';
  const receipt = 'font-size:8pt;line-height:9pt';
  const payment = 'font-size:10pt;line-height:11pt';
  return (
    '<div style="position:relative;width:210mm;height:105mm;background:#fff;color:#000;break-inside:avoid;' +
    "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;text-align:left;box-sizing:border-box;" +
    'border-top:0.75pt dashed #000">' +
    box('62 0 0 105', 'border-left:0.75pt dashed #000', '') +
    box('5 5 52 7', title, headings.receipt) +
    box('5 12 52 56', receipt, information(bill, { points: 6, field: [52, 20] })) +
    box('5 68 52 14', receipt, amounts(bill, 6, [30, 10])) +
    box('5 82 52 18', 'font-size:6pt;font-weight:bold;text-align:right', headings.acceptance) +
    box('67 5 51 7', title, headings.payment) +
    box('67 17 46 46', '', code.trim().replace('<svg ', '<svg style="width:46mm;height:46mm" ')) +
    box('67 68 51 22', payment, amounts(bill, 8, [40, 15])) +
    box('118 5 87 85', payment, information(bill, { points: 8, field: [65, 25] })) +
    '</div>'
  );
}
