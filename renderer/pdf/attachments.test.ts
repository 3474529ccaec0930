import { attachmentsIn } from '@trifold/test-support/files/pdf.ts';
import {
  packAttachments,
  RELATIONSHIPS,
  unpackAttachments,
  type Attachment,
} from '@trifold/platform/records/documents/attachments.ts';
import { expect, it } from 'vitest';
import { handmadePdf } from '../testing/files/handmade-pdf.ts';
import { finishPdf } from './finish-pdf.ts';

const createdAt = new Date('2026-11-20T01:02:03.456Z');
const PAGES = ['<</Type /Pages /Count 1 /Kids [3 0 R]>>', '<</Type /Page /MediaBox [0 0 9 9]>>'];
const xml: Attachment = {
  filename: 'factur-x.xml',
  mimeType: 'text/xml',
  description: 'Invoice (Größe) 🦄',
  relationship: 'alternative',
  bytes: Buffer.from('<?xml version="1.0"?><a>ü</a>'),
};
const named = (filename: string): Attachment => ({ ...xml, filename });
const all = (count: number) =>
  Array.from({ length: count }, (_, index) => named(`${(index * 7) % count}.xml`));

it.each<[what: string, attachments: readonly Attachment[]]>([
  ['none', []],
  ['one', [xml]],
  ['ten, not in order', all(10)],
  ['names in any script', ['請求書.xml', 'Ω.xml', 'فاتورة.xml', '🦄.xml', 'a.xml', '\uffee.xml'].map(named)],
  ['names with the syntax of PDF', ['a)(b', '<<>>', ')>>endobj', '%', '[', '#41'].map(named)],
  ['bytes with the syntax of PDF', [{ ...xml, bytes: Buffer.from('endstream\nendobj\nstartxref 5 %%EOF') }]],
  ['all bytes', [{ ...xml, bytes: Buffer.from(Uint8Array.from({ length: 512 }, (_, byte) => byte)) }]],
  ['an empty file', [{ ...xml, bytes: Buffer.alloc(0) }]],
  [
    'types',
    ['image/svg+xml', 'a/b (c)', 'x/<</A 1>>'].map((mimeType) => ({
      ...named(mimeType.slice(-3)),
      mimeType,
    })),
  ],
])('another reader finds the attachments as they were sent: %s', async (_what, attachments) => {
  const unpacked = unpackAttachments(packAttachments(attachments));
  expect(unpacked).toEqual(attachments);
  const printed = handmadePdf(['<</Pages 2 0 R /Names <</Dests <<>>>>>>', ...PAGES]);
  for (const level of [{}, { conformance: 'a-3b' } as const]) {
    const { pdf } = await finishPdf(Buffer.from(printed), {
      mode: 'live',
      createdAt,
      attachments: unpacked,
      ...level,
    });
    const sent = attachments.map(({ filename, bytes }) => [filename, bytes] as const);
    const found = await attachmentsIn(pdf);
    expect(found).toEqual(new Map(sent));
    // Readers search the name tree.
    expect([...found.keys()]).toEqual([...found.keys()].toSorted());
    const isReferred =
      pdf.includes('/AF [') && /\/Names <<\/Dests <<>>\n\/EmbeddedFiles/.test(pdf.toString('latin1'));
    expect(isReferred).toBe(attachments.length > 0);
  }
});

it.each(RELATIONSHIPS)('the file states that an attachment is its %s', async (relationship) => {
  const attachments = [{ ...xml, relationship }];
  const { pdf } = await finishPdf(handmadePdf(['<</Pages 2 0 R>>', ...PAGES]), {
    mode: 'live',
    createdAt,
    attachments,
  });
  const name = relationship.replace(/^./, (first) => first.toUpperCase());
  expect(pdf.toString('latin1')).toMatch(
    new RegExp(
      `/Subtype /text#2Fxml /Params <</Size 30 /ModDate \\(D:20261120010203\\+00'00'\\)>>[^]*/${name}\n`,
    ),
  );
});

it('PDF/A-2 allows no attachments', async () => {
  const document = { mode: 'live', createdAt, attachments: [xml], conformance: 'a-2b' } as const;
  await expect(finishPdf(handmadePdf(['<</Pages 2 0 R>>', ...PAGES]), document)).rejects.toMatchObject({
    code: 'conformance_failed',
    message: expect.stringMatching(/PDF\/A-3 \(ISO 19005-2, 6\.8\)$/) as unknown,
  });
});
