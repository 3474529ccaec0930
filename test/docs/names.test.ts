import { CUSTOM_KINDS } from '@trifold/crds';
import { serveCustomKind } from '@trifold/embedded-apiserver/custom-kind.ts';
import type { JsonObject } from '@trifold/embedded-apiserver/encoding/json.ts';
import { decodeObject } from '@trifold/embedded-apiserver/encoding/object-decoding.ts';
import { validateObject } from '@trifold/embedded-apiserver/objects/object-validation.ts';
import type { StoredObject } from '@trifold/embedded-apiserver/objects/stored-object.ts';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { entriesOf, readChartValues } from '../../charts/values-reference.ts';
import { kindFile } from '../../docs/generate/kind-page.ts';
import { blocks, filesOf, KUBECTL_PAGES, page, quoted, section, source } from './pages.ts';

const SERVICES = '{platform,api-gateway,controller,renderer}/**/*.ts';
const GITOPS = 'docs/run/argo-cd-and-flux.md';
const adminPages = (await filesOf('docs/run/*.md')).filter((path) => path !== GITOPS);
const admins = (await Promise.all(adminPages.map(page))).join('\n');
const monitoring = await page('docs/run/monitoring.md');
const engineers = (await Promise.all(KUBECTL_PAGES.map(page))).join('\n');
const security = (
  await Promise.all(
    ['security', 'threat-model', 'explanation/sessions'].map((name) => page(`docs/${name}.md`)),
  )
).join('\n');
const all = [admins, engineers, security];

/** Variables that only the commands on the pages use. */
const READER_VARIABLES = ['TRIFOLD_URL', 'TRIFOLD_KEY'];

/** Options specific to GNU tools or curl 7.82, and prompts, which cannot be pasted. */
const NOT_PORTABLE = /\b(?:base64 -w|sed -i |grep -\w*P|date -d|xargs -r|stat -c|sort -V)|--json\b|^ *\$ /m;

const values = entriesOf(readChartValues(await page('charts/trifold/values.yaml')));
const paths = new Set(values.map(({ path }) => path));
const groups = new Set([...paths].map((path) => path.split('.')[0]));

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

/** Returns the paths that a values file sets, down to values that the chart accepts as a whole. */
function setPaths(tree: unknown, prefix = ''): string[] {
  return Object.entries(tree as object).flatMap(([name, value]) => {
    const path = prefix + name;
    const isGroup = values.some((entry) => entry.path === path && entry.members);
    return isGroup ? setPaths(value, `${path}.`) : [path];
  });
}

describe('Pages for cluster admins', () => {
  it('lists exactly the existing metrics', async () => {
    const declared = (await source(SERVICES)).matchAll(/name: '(trifold_[a-z_]+)'/g);
    const listed = quoted(section(monitoring, 'Metrics')).filter((word) => /^trifold_[a-z_]+$/.test(word));
    expect(sorted(listed)).toEqual(sorted([...declared].map((match) => String(match[1]))));
  });

  it('lists exactly the existing alerts', async () => {
    const rules = (await page('charts/trifold/templates/monitoring/alerts.yaml')).matchAll(/alert: (\w+)/g);
    const listed = quoted(section(monitoring, 'Alerts')).filter((word) => /^Trifold[A-Z]/.test(word));
    expect(sorted(listed)).toEqual(sorted([...rules].map((match) => String(match[1]))));
  });

  it('sets only values that the chart has', () => {
    const examples = blocks(admins, 'yaml').map((text) => parse(text) as unknown);
    const set = examples.flatMap((tree) => setPaths(tree));
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((path) => !paths.has(path))).toEqual([]);
  });
});

it('The page for Argo CD and Flux sets only values that the chart has', async () => {
  const manifests = blocks(await page(GITOPS), 'yaml')
    .flatMap((text) => parseAllDocuments(text))
    .map((document) => document.toJS() as Manifest);
  const examples = manifests
    .map(({ spec }) => spec?.source?.helm.valuesObject ?? spec?.values)
    .filter((tree) => tree !== undefined);
  expect(examples).toHaveLength(2);
  expect(examples.flatMap((tree) => setPaths(tree)).filter((path) => !paths.has(path))).toEqual([]);
});

/** The fields of an Argo CD Application and a Flux HelmRelease that contain chart values. */
interface Manifest {
  readonly spec?: {
    readonly source?: { readonly helm: { readonly valuesObject: object } };
    readonly values?: object;
  };
}

describe('Documentation', () => {
  it('mentions only values that the chart has', () => {
    const named = all
      .flatMap((text) => quoted(text))
      .map((word) => word.split(/[=:]/)[0] ?? '')
      .filter((word) => /^[a-z]\w*(\.\w+)+$/.test(word) && groups.has(word.split('.')[0]));
    expect(named.length).toBeGreaterThan(10);
    expect(sorted(named).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('mentions only existing settings', async () => {
    const listed = await page('docs/configuration.md');
    const named = all.flatMap((text) => text.match(/TRIFOLD_[A-Z0-9_]+/g) ?? []);
    const settings = sorted(named).filter((variable) => !READER_VARIABLES.includes(variable));
    expect(settings.filter((variable) => !listed.includes(`\`${variable}\``))).toEqual([]);
  });

  it('has commands that work without GNU tools', async () => {
    const files = await filesOf('{*,docs/**/*,deploy/*,clients/*/*}.md');
    const texts = await Promise.all(files.map(page));
    const commands = texts.flatMap((text) => ['sh', 'bash', 'console'].flatMap((name) => blocks(text, name)));
    expect(commands.length).toBeGreaterThan(50);
    expect(commands.filter((command) => NOT_PORTABLE.test(command))).toEqual([]);
  });

  it('mentions only existing files', async () => {
    const named = all
      .flatMap((text) => quoted(text))
      .filter((word) => /^[\w/-]+\/[\w.-]+\.(ts|yaml)$/.test(word));
    await Promise.all(named.map((file) => page(file)));
    expect(named.length).toBeGreaterThan(2);
  });
});

it.each(CUSTOM_KINDS.map((kind) => [kind.kind, kind] as const))(
  'The page about %s has a valid manifest',
  async (_, kind) => {
    const [example = ''] = blocks(await page(`docs/kinds/${kindFile(kind)}.md`), 'yaml');
    const served = serveCustomKind(kind);
    const { object } = decodeObject(served, parse(example) as JsonObject, 'Strict');
    validateObject(served, object as StoredObject, undefined);
  },
);
