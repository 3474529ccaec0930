import { describe, expect, it } from 'vitest';
import { codeIn } from '../testing/files/read-code.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';

const CREDITOR = {
  name: 'Robert Schneider AG',
  street: 'Rue du Lac',
  building_number: '1268',
  zip: 2501,
  city: 'Biel',
  country: 'CH',
};
const DEBTOR = {
  name: 'Pia-Maria Rutschmann-Schnyder',
  street: 'Grosse Marktgasse',
  building_number: 28,
  zip: '9400',
  city: 'Rorschach',
  country: 'ch',
};

const fixture = RendererFixture.forSuite();

/** Draws the document as a PNG and returns the text of the code that a decoder finds in it, split into lines. */
async function decoded(html: string, data: Record<string, unknown>): Promise<string[]> {
  const order = { json: data, format: 'png', options: { deviceScale: 2 } } as const;
  return (await codeIn((await fixture.complete({ html }, order)).file)).split('\n');
}

describe('A code in a printed document', () => {
  it('contains a SEPA credit transfer with a creditor reference', async () => {
    const call =
      '{{epcQr name=name iban=iban amount=amount reference="RF18 5390 0754 7034" bic="BELADEBEXXX"}}';
    const data = { name: 'Müller & Söhne\nGmbH', iban: 'DE33 1002 0500 0001 1947 00', amount: '1234.5' };
    expect(await decoded(call, data)).toEqual(
      'BCD|002|1|SCT|BELADEBEXXX|Müller & Söhne GmbH|DE33100205000001194700|EUR1234.50||RF18539007547034'.split(
        '|',
      ),
    );
  });

  it('contains a SEPA credit transfer with text and without an amount', async () => {
    const call = '{{epcQr name="Red Cross" iban="BE72 0000 0000 1616" text="Thank you" size="4cm"}}';
    const expected = ['BCD', '002', '1', 'SCT', '', 'Red Cross', 'BE72000000001616', '', '', '', 'Thank you'];
    expect(await decoded(call, {})).toEqual(expected);
  });

  it('contains a Swiss QR-bill', async () => {
    const call =
      '{{swissQrBill iban=iban creditor=creditor debtor=debtor amount=1949.75 reference=reference message=message}}';
    const data = {
      iban: 'CH44 3199 9123 0008 8901 2',
      creditor: CREDITOR,
      debtor: DEBTOR,
      reference: '21 00000 00003 13947 14300 09017',
      message: 'Auftrag vom 03.04.2026',
    };
    const lines = [
      'SPC|0200|1|CH4431999123000889012',
      'S|Robert Schneider AG|Rue du Lac|1268|2501|Biel|CH',
      '||||||',
      '1949.75|CHF',
      'S|Pia-Maria Rutschmann-Schnyder|Grosse Marktgasse|28|9400|Rorschach|CH',
      'QRR|210000000003139471430009017|Auftrag vom 03.04.2026|EPD',
    ];
    expect(await decoded(call, data)).toEqual(lines.join('|').split('|'));
  });

  it('contains a Swiss QR-bill whose amount and payer are filled in by hand', async () => {
    const call = '{{swissQrBill iban="CH93 0076 2011 6238 5295 7" creditor=creditor currency="EUR"}}';
    const lines = await decoded(call, { creditor: CREDITOR });
    expect(lines.slice(18)).toEqual(['', 'EUR', '', '', '', '', '', '', '', 'NON', '', '', 'EPD']);
  });
});
