import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromRenderOptions } from '@trifold/api-gateway/options/api-options.ts';
import { run } from '../support/keys-command.ts';
import { REPOSITORY } from '../support/service.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow } from './measurement/report.ts';
import { alternate, closedLoop } from './measurement/statistics.ts';
import type { Invoice } from './workload/invoice.ts';

const BIN = path.join(REPOSITORY, 'standalone/command/bin.cjs');
const COMMAND = 'render template.html --css style.css --data data.json --options options.json -o out.pdf';

/**
 * Measures the whole command `trifold render` for the invoice, and a Node process that does nothing. The browser is
 * unpacked, and the compiled code is cached. Runs the sources, because child processes of a package in a clone cannot
 * read its modules.
 */
export async function benchRender(
  { template, data }: Invoice,
  { milliseconds, rounds }: Pace,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trifold-bench-'));
  try {
    const { html = '', css = '', defaultOptions = {} } = template.spec;
    const files = {
      'template.html': html,
      'style.css': css,
      'data.json': JSON.stringify(data),
      'options.json': JSON.stringify(fromRenderOptions(defaultOptions)),
    };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
    const render = () => execute(folder, BIN, ...COMMAND.split(' '));
    await render();
    const measured = await alternate(rounds, {
      node: () => closedLoop(1, milliseconds / 5, () => execute(folder, '--eval', '0')),
      render: () => closedLoop(1, milliseconds, render),
    });
    console.table([
      { '': 'node --eval 0', ...latencyRow(measured.node) },
      { '': 'trifold render', ...latencyRow(measured.render) },
    ]);
    console.log('p50 of trifold render: target < 1500 ms');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function execute(cwd: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(process.execPath, args, { cwd });
  if (code !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
}
