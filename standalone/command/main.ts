/** The `trifold` command of the npm package. Each command imports only what it runs. */
import { readFile } from 'node:fs/promises';
import { Argument, Command, Option } from 'commander';
import { DOCUMENT_FORMATS } from '@trifold/crds/schema/document-format.ts';
import { UsageError } from '@trifold/cli/usage-error.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import type { TestCommand } from './golden/test.ts';
import type { RenderCommand } from './render/render.ts';
import type { TemplatesCommand } from './templates/templates.ts';

const FAILURE = 1;
const USAGE = 2;

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('trifold')
  .description('Documents from HTML templates and JSON data.')
  .version(version)
  .showHelpAfterError('Add --help for options and examples.')
  .addHelpText(
    'after',
    '\nExamples:\n  trifold render invoice.html --data invoice.json -o invoice.pdf\n  trifold start\n  trifold render --help',
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE));

program
  .command('render')
  .summary('create a file from a template')
  .description('Creates a file from an HTML template and JSON data, without a service.')
  .argument('<template>', 'HTML file with {{bindings}}; - is standard input')
  .option('-d, --data <file>', 'JSON object for the bindings; - is standard input')
  .option(
    '-o, --output <file>',
    "default: the template's name with the format's extension; - is standard output",
  )
  .addOption(
    new Option('-f, --format <format>', 'default: the extension of the output, else pdf').choices(
      DOCUMENT_FORMATS,
    ),
  )
  .option('--css <file>', 'CSS file')
  .option('--options <file>', 'JSON file with generation options, such as page_size')
  .option('--schema <file>', 'JSON file with the schema that the data must match')
  .option('--e-invoice <file>', 'JSON file with the e-invoice to create from the data')
  .option('-w, --watch', 'render again whenever an input changes')
  .option('--json', 'print the result as JSON, with its warnings')
  .addHelpText(
    'after',
    `
Examples:
  trifold render invoice.html --data invoice.json -o invoice.pdf
  trifold render invoice.html --data invoice.json --watch
  trifold render card.html --format png
  curl -s https://api.example.com/orders/7 | trifold render order.html --data - -o - | lpr`,
  )
  .action(async (template: string, options: Omit<RenderCommand, 'template'>) => {
    const { render } = await import('./render/render.ts');
    process.exitCode = await render({ template, ...options });
  });

const templates = program
  .command('templates')
  .summary('keep templates in files')
  .description(
    'Copies templates between folders and a service, or a YAML file of Template resources, and compares them.',
  );

for (const [verb, summary, examples] of [
  ['pull', 'write templates into folders', ['templates', '--kind invoice.yaml templates']],
  ['push', 'save templates from folders', ['templates', 'templates invoice --dry-run']],
  ['diff', 'show what a push would change', ['templates', 'templates --kind templates.yaml']],
] as const) {
  const command = templates
    .command(verb)
    .summary(summary)
    .argument('<directory>', 'contains a folder for each template')
    .argument('[templates...]', 'folders, IDs or names; default: all')
    .option('--url <url>', 'URL of the service; default: $TRIFOLD_URL. The API key is $TRIFOLD_KEY')
    .option('--kind <file>', 'YAML file to use instead of a service; - is standard input or output')
    .option('--json', 'print the results as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n${examples.map((example) => `  trifold templates ${verb} ${example}`).join('\n')}`,
    )
    .action(async (directory: string, wanted: string[], options: Partial<TemplatesCommand>) => {
      const commands = await import('./templates/templates.ts');
      process.exitCode = await commands[verb]({ ...options, directory, wanted });
    });
  if (verb !== 'diff') command.option('--dry-run', 'only print what would change');
  if (verb === 'push') command.option('--force', 'overwrite versions that are newer than the pulled ones');
}

program
  .command('test')
  .summary('compare printed samples with recorded files')
  .description(
    'Prints each sample of each template and compares the result with the file in the folder "golden", or with the file that a running service prints.',
  )
  .argument('[directory]', 'contains a folder for each template; not needed with --against')
  .argument('[templates...]', 'folders; default: all')
  .option('-u, --update', 'record the current files')
  .option('--against <url>', 'compare with a running service, using the API key in $TRIFOLD_KEY')
  .option('--junit <file>', 'write the results as JUnit XML')
  .option('--report <file>', 'write an HTML page that shows the differences')
  .option('--json', 'print the results as JSON')
  .addHelpText(
    'after',
    `
Exit codes: 0 nothing differs, 1 a sample differs or fails, 2 usage error,
            3 only files recorded with another browser, fonts or architecture differ

Examples:
  trifold test templates --update
  trifold test templates --report report.html
  trifold test --against https://documents.example.com`,
  )
  .action(async (directory: string | undefined, wanted: string[], options: Partial<TestCommand>) => {
    const { test } = await import('./golden/test.ts');
    process.exitCode = await test({ ...options, directory, wanted });
  });

program
  .command('start')
  .summary('run the service')
  .description(
    'Runs the service with its API, dashboard and documentation until you press Ctrl-C. Keeps its data in .trifold.',
  )
  .addHelpText(
    'after',
    '\nExamples:\n  trifold start\n  TRIFOLD_PORT=3000 TRIFOLD_DATA=/var/lib/trifold trifold start',
  )
  .action(async () => void (await import('../main.ts')));

program
  .command('doctor')
  .summary("check this machine and the service's dependencies")
  .description(
    'Checks the browser, fonts, disk, Redis, object store and Kubernetes that the settings in the environment select.',
  )
  .option('--json', 'print the results as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  trifold doctor\n  TRIFOLD_REDIS_URL=redis://redis:6379 trifold doctor --json',
  )
  .action(async (options: { readonly json?: boolean }) => {
    const { doctor } = await import('./doctor/doctor.ts');
    process.exitCode = await doctor(options);
  });

for (const [name, summary] of [
  ['keys', 'create, list or revoke API keys'],
  ['dashboard', 'print a sign-in link for the dashboard of a running service'],
  ['webhooks', 'seal a webhook secret'],
] as const) {
  program
    .command(name)
    .summary(summary)
    .description(`For options and examples: trifold ${name} --help`)
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (_words, _options, { args }: Command) => {
      const { runCommand } = await import('@trifold/cli/command.ts');
      process.exitCode = await runCommand([name, ...args], {
        write: (text) => process.stdout.write(text),
        writeError: (text) => process.stderr.write(text),
      });
    });
}

program
  .command('completion')
  .summary('print a shell completion script')
  .description('Prints a script that completes commands and options. Load it when your shell starts.')
  .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
  .addHelpText(
    'after',
    '\nExamples:\n  source <(trifold completion bash)\n  source <(trifold completion zsh)\n  trifold completion fish | source',
  )
  .action(async (shell: 'bash' | 'zsh' | 'fish') => {
    const { SHELL_SCRIPTS } = await import('./completion.ts');
    process.stdout.write(SHELL_SCRIPTS[shell]);
  });

program
  .command('complete', { hidden: true })
  .argument('[words...]')
  .action(async (words: string[]) => {
    const { candidates } = await import('./completion.ts');
    process.stdout.write(candidates(program, words).join('\n'));
  });

// A reader such as `head` can exit before everything is written.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`standard output: error: ${message}\n`);
  process.exit(FAILURE);
});

try {
  await program.parseAsync();
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(
    `trifold: ${error instanceof Error && !(error instanceof SetupError) ? error.stack : (error as Error).message}\n`,
  );
  process.exitCode = isUsage ? USAGE : FAILURE;
}
