import { embeddedInvoice } from '@trifold/platform/e-invoices/embedded-file.ts';
import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { LocalRenderer } from '@trifold/standalone/command/render/local-renderer.ts';
import { generatedInvoice } from './generated-invoices.ts';
import { mappingOf } from './mapping-of.ts';

/** A PDF with an e-invoice, as the service creates it. */
export interface FacturXFile {
  readonly profile: EInvoiceProfile;
  readonly number: number;
  readonly pdf: Uint8Array;
}

const PROFILES_IN_PDF = (Object.keys(PROFILES) as EInvoiceProfile[]).filter(embeddedInvoice);

/** Creates the generated invoices with these numbers in each profile that Factur-X has. */
export async function facturXFiles(numbers: readonly number[]): Promise<FacturXFile[]> {
  const renderer = new LocalRenderer(process.env);
  try {
    const files: FacturXFile[] = [];
    for (const profile of PROFILES_IN_PDF) {
      for (const number of numbers) {
        files.push({ profile, number, pdf: await created(renderer, profile, number) });
      }
    }
    return files;
  } finally {
    await renderer.stop();
  }
}

/** Returns an invoice with another total (BT-112) of the same length: a PDF contains the XML without compression. */
export function withOtherTotal(invoice: string | Uint8Array): Buffer {
  const bytes = Buffer.from(invoice as Uint8Array);
  const changed = bytes
    .toString('latin1')
    .replace(/(?<=<ram:GrandTotalAmount>)[^<]*/, (total) => '9'.repeat(total.length));
  return Buffer.from(changed, 'latin1');
}

async function created(
  renderer: LocalRenderer,
  profile: EInvoiceProfile,
  number: number,
): Promise<Uint8Array> {
  const data = { ...generatedInvoice(number, profile), ...precedingInvoices(profile) };
  const { file, findings } = await renderer.render({
    format: 'pdf',
    title: `Invoice ${number}`,
    html: '<h1>Invoice</h1>',
    data,
    e_invoice: { format: 'factur-x', profile, syntax: 'cii', mapping: mappingOf(data), compare: false },
  });
  if (file && findings.length === 0) return file;
  throw new Error(`${number} ${profile}: ${JSON.stringify(findings)}`);
}

/** Only the Factur-X schema allows several. */
function precedingInvoices(profile: EInvoiceProfile) {
  return profile === 'xrechnung' ? {} : { 'BG-3': [{ 'BT-25': 'R-1' }, { 'BT-25': 'R-2' }] };
}
