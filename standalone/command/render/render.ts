import { watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DOCUMENT_FORMATS, extensionOf, type DocumentFormat, type ProblemPart } from '@trifold/crds';
import { UsageError } from '@trifold/cli/usage-error.ts';
import { startFailure } from '../../start-failure.ts';
import { say, showProgress } from '../progress.ts';
import { lineOf, placeOf } from './finding-line.ts';
import type { Finding, LocalRenderer } from './local-renderer.ts';
import {
  FileError,
  nameOf,
  readData,
  readEInvoiceSpec,
  readInput,
  readOptions,
  readSchema,
  STANDARD,
} from './read-input.ts';
import { withLocalRenderer } from './with-local-renderer.ts';
import { writeOutput } from './write-output.ts';

/** Files and options of `trifold render`; `-` is standard input or output. */
export interface RenderCommand {
  readonly template: string;
  readonly css?: string;
  readonly data?: string;
  readonly options?: string;
  readonly schema?: string;
  readonly eInvoice?: string;
  /** @default the template's name in the current directory, with the extension of the format */
  readonly output?: string;
  /** @default the format of the output's extension, else pdf */
  readonly format?: DocumentFormat;
  readonly watch?: boolean;
  /** Writes the results to standard output as JSON, one line for each rendering. */
  readonly json?: boolean;
}

interface Target {
  readonly format: DocumentFormat;
  readonly output: string;
}

/** Editors save in several steps; the file is complete this long after the first one. */
const SAVING_MS = 50;

/** `trifold render`. Returns the exit code. Throws UsageError. */
export async function render(command: RenderCommand): Promise<number> {
  const target = targetOf(command);
  const { template, css, data, options, schema, eInvoice } = command;
  const inputs = [template, css, data, options, schema, eInvoice].filter((file) => file !== undefined);
  const standard = inputs.filter((file) => file === STANDARD).length;
  if (standard > 1) throw new UsageError('only one input can be standard input');
  if (command.watch && (standard > 0 || target.output === STANDARD))
    throw new UsageError('--watch cannot be used with standard input or output');
  if (command.json && target.output === STANDARD)
    throw new UsageError('--json needs standard output: name a file with --output');
  try {
    return await withLocalRenderer(async (renderer) =>
      command.watch
        ? renderOnChanges(renderer, command, target, inputs)
        : renderOnce(renderer, command, target),
    );
  } catch (error) {
    const message = startFailure(error);
    say(`trifold: ${message}`);
    writeResult(command, failure(message));
    return 1;
  }
}

/** Never returns: Ctrl-C ends the process. */
async function renderOnChanges(
  renderer: LocalRenderer,
  command: RenderCommand,
  target: Target,
  inputs: readonly string[],
): Promise<never> {
  let changed = Promise.withResolvers<void>();
  for (const file of inputs) {
    // Many editors replace the file, which would end a watch on the file itself.
    watch(path.dirname(file), (_, name) => {
      if (name === path.basename(file)) changed.resolve();
    });
  }
  for (;;) {
    changed = Promise.withResolvers();
    await renderOnce(renderer, command, target);
    await changed.promise;
    await delay(SAVING_MS);
  }
}

async function renderOnce(renderer: LocalRenderer, command: RenderCommand, target: Target): Promise<number> {
  showProgress(`rendering ${nameOf(command.template)} …`);
  const result = await renderFile(renderer, command, target).catch((error: unknown) => {
    if (!(error instanceof FileError)) throw error;
    say(error.message);
    return failure(...error.message.split('\n'));
  });
  writeResult(command, result);
  return result.output === null ? 1 : 0;
}

async function renderFile(
  renderer: LocalRenderer,
  command: RenderCommand,
  { format, output }: Target,
): Promise<RenderResult> {
  const started = performance.now();
  const { texts, ...inputs } = await readInputs(command);
  const title = path.parse(command.template).name;
  const { file, pages, findings } = await renderer.render({ ...inputs, format, title });
  const located = await withPositions(findings, texts);
  for (const finding of located) say(lineOf(finding, command));
  const shown = located.map(({ part, ...finding }) => ({ ...finding, file: placeOf(part, command) }));
  if (!file) return { output: null, findings: shown };
  await writeOutput(output, file);
  const milliseconds = Math.round(performance.now() - started);
  if (output !== STANDARD) say(`wrote ${output} (${summary(pages, file, milliseconds)})`);
  return { output, format, pages, bytes: file.length, milliseconds, findings: shown };
}

interface RenderResult {
  /** Null if no file was created. */
  readonly output: string | null;
  readonly format?: DocumentFormat;
  readonly pages?: number | undefined;
  readonly bytes?: number;
  readonly milliseconds?: number;
  readonly findings: readonly (Pick<Finding, 'level' | 'message'> & Partial<Finding>)[];
}

function failure(...messages: readonly string[]): RenderResult {
  return { output: null, findings: messages.map((message) => ({ level: 'error', message })) };
}

function writeResult({ json }: RenderCommand, result: RenderResult): void {
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
}

async function readInputs({ template, css, ...command }: RenderCommand) {
  const optional = async <T>(file: string | undefined, read: (file: string) => Promise<T>) =>
    file === undefined ? undefined : read(file);
  const readText = async (file: string) => (await readInput(file)).toString();
  const json = {
    data: await optional(command.data, readData),
    options: await optional(command.options, readOptions),
    schema: await optional(command.schema, readSchema),
    e_invoice: await optional(command.eInvoice, readEInvoiceSpec),
  };
  const style = await optional(css, readText);
  const { data, options, schema, e_invoice } = json;
  return {
    html: await readText(template),
    data: data ? data.value : {},
    ...(style !== undefined && { css: style }),
    ...(options && { options: options.value }),
    ...(schema && { schema: schema.value }),
    ...(e_invoice && { e_invoice: e_invoice.value }),
    texts: Object.fromEntries(Object.entries(json).map(([part, input]) => [part, input?.text])),
  };
}

/** Adds the positions of fields in JSON files. */
async function withPositions(
  findings: readonly Finding[],
  texts: Readonly<Partial<Record<ProblemPart, string | undefined>>>,
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings;
  const { JsonPositions } = await import('./json-positions.ts');
  const positions = new Map<ProblemPart, InstanceType<typeof JsonPositions>>();
  return findings.map((finding) => {
    const { part, line, path: pointer } = finding;
    // Lines in an e-invoice are counted from the start of the mapping.
    const text = part && (!line || part === 'e_invoice') ? texts[part] : undefined;
    // A header in the options is a separate part.
    if (!part || text === undefined || !pointer?.startsWith(`/${part}`)) return finding;
    const ofPart = positions.get(part) ?? new JsonPositions(text);
    positions.set(part, ofPart);
    return { ...finding, ...ofPart.at(pointer.slice(part.length + 1)) };
  });
}

function targetOf({ template, output, format }: RenderCommand): Target {
  if (output === undefined || output === STANDARD) {
    const name = template === STANDARD || output === STANDARD ? undefined : path.parse(template).name;
    const known = format ?? 'pdf';
    return { format: known, output: name === undefined ? STANDARD : name + extensionOf(known) };
  }
  const extension = path.extname(output).toLowerCase();
  const known =
    format ?? DOCUMENT_FORMATS.find((each) => [extensionOf(each), `.${each}`].includes(extension));
  if (known) return { format: known, output };
  throw new UsageError(
    `cannot tell the format from ${output}: use one of the extensions ${DOCUMENT_FORMATS.map(extensionOf).join(', ')}, or set --format`,
  );
}

function summary(pages: number | undefined, file: Uint8Array, milliseconds: number): string {
  const count = pages ? `${pages} ${pages === 1 ? 'page' : 'pages'}, ` : '';
  return `${count}${Math.ceil(file.length / 1024)} KiB, ${milliseconds} ms`;
}
