import type { BenchClient } from './workload/bench-client.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { StandaloneService } from './services/standalone-service.ts';
import { alternate, closedLoop, rate } from './measurement/statistics.ts';

/** Size of the target's email template HTML, in bytes. */
const HTML_BYTES = 30 * 1024;
const WARM_UP_MS = 3000;

const css = (cells: string) =>
  `body { font-family: sans-serif; color: #222 } h1 { color: #123456; font-size: 24px }
p { line-height: 1.5; margin: 0 0 12px } .button { background: #123456; color: #fff; padding: 8px 16px }
table { border-collapse: collapse; width: 100% } ${cells} { border-bottom: 1px solid #ddd; padding: 4px 8px }
.price { text-align: right } @media (max-width: 480px) { h1 { font-size: 18px } }`;

const PARAGRAPH =
  '<p>Dear {{customer.name}}, thank you for your order <strong>{{number}}</strong>. We will tell you when it ' +
  'leaves our house. Until then <a href="https://shop.example/{{number}}">your order</a> can be changed.</p>\n';
const ROW =
  '<tr><td>Tea from {{customer.name}}</td><td>2 pieces</td><td class="price" align="right">{{total}}</td></tr>\n';

interface Letter {
  readonly name: string;
  readonly html: string;
  readonly css: string;
}

/** Selectors that each match many cells. */
const CELLS = [
  'td',
  'table td',
  'td:last-child',
  'tr:nth-child(even) td',
  'td + td',
  '[align=right]',
  'td:not(.price)',
];

/** Paragraphs as in most emails, and a table in which many cells need inlined styles. */
const LETTERS: readonly Letter[] = [
  {
    name: 'letter of paragraphs',
    html: filled((body) => `<h1>Thank you</h1>${body}`, PARAGRAPH),
    css: css('td'),
  },
  ...CELLS.map((cells) => ({
    name: `letter of table rows, ${cells}`,
    html: filled((body) => `<h1>Receipt</h1><table>${body}</table>`, ROW),
    css: css(cells),
  })),
];
const DATA = { customer: { name: 'Łukasz & Søn <Ltd>' }, number: 17, total: '12,50 €' };

/** Measures saved email templates of 30 KB, compiled by the standalone service for one client over HTTP. */
export async function benchEmails({ milliseconds, rounds }: Pace): Promise<void> {
  const service = await StandaloneService.start();
  try {
    const rows = [];
    for (const letter of LETTERS) {
      const compile = await prepare(service.client, letter);
      await closedLoop(1, WARM_UP_MS, compile);
      const { compiled } = await alternate(rounds, { compiled: () => closedLoop(1, milliseconds, compile) });
      rows.push({
        '': `${letter.name}, ${Math.round(letter.html.length / 1024)} KB`,
        ...latencyRow(compiled),
        'emails/s': rounded(rate(compiled)),
      });
    }
    console.table(rows);
    console.log('p50 of an email template of 30 KB: target < 5 ms');
  } finally {
    await service.stop();
  }
}

async function prepare(client: BenchClient, { name, ...letter }: Letter): Promise<() => Promise<void>> {
  const email = { subject: 'Order {{number}}', preheader: 'Thank you, {{customer.name}}' };
  const { id } = await client.call<{ id: string }>('POST', '/v1/templates', { name, ...letter, email });
  const body = JSON.stringify({ template_id: id, data: DATA });
  return async () => void (await client.send('POST', '/v1/emails/compile', body));
}

function filled(around: (body: string) => string, piece: string): string {
  const pieces = Math.floor((HTML_BYTES - around('').length) / piece.length);
  return around(piece.repeat(pieces));
}
