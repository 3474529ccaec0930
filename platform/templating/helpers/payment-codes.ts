import { isMissing, type TemplateHelper } from './arguments.ts';
import { draw, lengthOf, sized } from './code-drawing.ts';
import { isCreditorReference, PaymentArguments } from './payment-data.ts';
import { swissQrBill } from './swiss-qr-bill.ts';

/** Maximum content size (EPC069-12, "Technical requirements"). */
const MAX_EPC_BYTES = 331;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

export const PAYMENT_CODES = {
  epcQr: ({ named }) => {
    const size = lengthOf('epcQr', 'size', named['size']) ?? '30mm';
    const payment = new PaymentArguments('epcQr', named);
    const svg = draw('epcQr', { bcid: 'qrcode', text: epcText(payment, named), eclevel: 'M' });
    return sized(svg, { width: size, height: size });
  },
  swissQrBill,
} satisfies Record<string, TemplateHelper>;

/** Returns the content of a code for a SEPA credit transfer (EPC069-12, version 002). Empty lines at the end are omitted. */
function epcText(payment: PaymentArguments, named: Readonly<Record<string, unknown>>): string {
  const bic = payment.compact('bic');
  if (bic !== '' && !BIC.test(bic)) payment.fail('bic= is not a BIC');
  payment.choice('currency', ['EUR']);
  if (!isMissing(named['reference']) && !isMissing(named['text'])) {
    payment.fail('use reference= or text=, not both');
  }
  const amount = payment.amount();
  const beneficiary = [bic, payment.requiredLine('name', 70), payment.iban()];
  const transfer = [amount && `EUR${amount}`, '', epcReference(payment), payment.line('text', 140)];
  const lines = ['BCD', '002', '1', 'SCT', ...beneficiary, ...transfer];
  const text = lines.join('\n').trimEnd();
  if (Buffer.byteLength(text) > MAX_EPC_BYTES) {
    payment.fail(`the code would have more than ${MAX_EPC_BYTES} bytes`);
  }
  return text;
}

/** Returns a creditor reference, or a national one, which has no common check digits. */
function epcReference(payment: PaymentArguments): string {
  const reference = payment.compact('reference');
  if (reference.length > 35) payment.fail('reference= has more than 35 characters');
  if (reference.startsWith('RF') && !isCreditorReference(reference)) {
    payment.fail('reference= is not a creditor reference (ISO 11649) with valid check digits');
  }
  return reference;
}
