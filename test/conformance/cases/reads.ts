import type { Case, Expectation, JsonObject, Step } from '../case.ts';
import { BAD_REQUEST, generationJob, get, made, mergePatch, remove, template } from './requests.ts';

/** Two labelled templates and a draft. */
export const LABELLED: readonly Step[] = [
  made('templates', template('a', {}, { labels: { app: 'x', tier: 'front' } })),
  made('templates', template('b', {}, { labels: { app: 'y' } })),
  made('templates', template('c', { state: 'draft' })),
];

type Selected = [selector: string, ...names: string[]];

const LABEL_SELECTORS: readonly Selected[] = [
  ['app=x', 'a'],
  ['app==x', 'a'],
  ['app!=x', 'b', 'c'],
  ['app', 'a', 'b'],
  ['!app', 'c'],
  ['app in (x, y)', 'a', 'b'],
  ['app in (x)', 'a'],
  ['app notin (x)', 'b', 'c'],
  ['app,tier', 'a'],
  ['app=x,tier=front', 'a'],
  ['app=x,tier!=front'],
  ['app in (x,y),!tier', 'b'],
  ['tier='],
  ['', 'a', 'b', 'c'],
];

const FIELD_SELECTORS: readonly Selected[] = [
  ['metadata.name=a', 'a'],
  ['metadata.name==a', 'a'],
  ['metadata.name!=a', 'b', 'c'],
  ['metadata.namespace=$ns', 'a', 'b', 'c'],
  ['metadata.namespace=default'],
  ['spec.state=draft', 'c'],
  ['spec.state!=draft', 'a', 'b'],
  ['spec.state=active,metadata.name=b', 'b'],
  ['metadata.name=nothing'],
];

const BAD_SELECTORS: readonly JsonObject[] = [
  { labelSelector: 'app in' },
  { labelSelector: 'app in (x' },
  { labelSelector: 'a b' },
  { labelSelector: 'app=x y' },
  { labelSelector: '=x' },
  { labelSelector: `${'k'.repeat(64)}=x` },
  { fieldSelector: 'spec.displayName=Invoice' },
  { fieldSelector: 'status.version=1' },
  { fieldSelector: 'metadata.uid=x' },
  { fieldSelector: 'metadata.name' },
  { fieldSelector: 'metadata.name>a' },
];

function listed(names: readonly string[]): Expectation {
  return { code: 200, body: { items: names.map((name) => ({ metadata: { name } })) } };
}

/** Label and field selectors. */
export const SELECTOR_CASES: readonly Case[] = [
  {
    name: 'label selectors match by equality, set and presence',
    steps: [
      ...LABELLED,
      ...LABEL_SELECTORS.map(([labelSelector, ...names]) =>
        get('templates', listed(names), { query: { labelSelector } }),
      ),
    ],
  },
  {
    name: 'field selectors match by name, namespace and the selectable fields of a kind',
    steps: [
      ...LABELLED,
      ...FIELD_SELECTORS.map(([fieldSelector, ...names]) =>
        get('templates', listed(names), { query: { fieldSelector } }),
      ),
    ],
  },
  {
    name: 'a selectable field that an object lacks counts as empty',
    steps: [
      made('generationjobs', generationJob('g')),
      made('generationjobs', generationJob('h', { templateRef: { name: 'other' } })),
      mergePatch('generationjobs/h/status', { status: { phase: 'Completed' } }, { code: 200 }),
      get('generationjobs', listed(['h']), { query: { fieldSelector: 'status.phase=Completed' } }),
      get('generationjobs', listed(['g']), { query: { fieldSelector: 'status.phase=' } }),
      get('generationjobs', listed(['g']), { query: { fieldSelector: 'status.phase!=Completed' } }),
      get('generationjobs', listed(['h']), { query: { fieldSelector: 'spec.templateRef.name=other' } }),
    ],
  },
  {
    name: 'malformed and unsupported selectors are rejected',
    steps: BAD_SELECTORS.map((query) =>
      get('templates', BAD_REQUEST, { query: query as Record<string, string> }),
    ),
  },
  {
    name: 'label and field selectors can be combined with each other and with pages',
    steps: [
      ...LABELLED,
      get(
        'templates',
        { ...listed(['a']), absent: [] },
        { query: { labelSelector: 'app', fieldSelector: 'metadata.name!=b' } },
      ),
      get('templates', listed(['a']), {
        query: { labelSelector: 'app', limit: '1' },
        save: { token: 'metadata.continue' },
      }),
      get('templates', listed(['b']), { query: { labelSelector: 'app', limit: '1', continue: '$token' } }),
    ],
  },
];

const FIVE: readonly Step[] = ['a', 'b', 'c', 'd', 'e'].map((name) => made('templates', template(name)));

/** Lists, whole and in pages. */
export const LIST_CASES: readonly Case[] = [
  {
    name: 'a list is sorted by name and has a resourceVersion',
    steps: [
      made('templates', template('b')),
      made('templates', template('a.b')),
      made('templates', template('a-b')),
      made('templates', template('a')),
      get(
        'templates',
        {
          code: 200,
          body: {
            kind: 'TemplateList',
            items: ['a', 'a-b', 'a.b', 'b'].map((name) => ({
              kind: 'Template',
              apiVersion: 'trifold.dev/v1alpha1',
              metadata: { name },
            })),
          },
          absent: ['metadata.continue', 'metadata.remainingItemCount'],
        },
        { save: { rv: 'metadata.resourceVersion' } },
      ),
      get('templates', { code: 200 }, { query: { resourceVersion: '$rv' } }),
      get('templates', { code: 200 }, { query: { resourceVersion: '0' } }),
      get(
        'templates',
        { code: 200 },
        { query: { resourceVersion: '$rv', resourceVersionMatch: 'NotOlderThan' } },
      ),
    ],
  },
  {
    name: 'consecutive pages show one snapshot',
    steps: [
      ...FIVE,
      get(
        'templates',
        { ...listed(['a', 'b']), body: { metadata: { remainingItemCount: 3 }, items: [{}, {}] } },
        { query: { limit: '2' }, save: { token: 'metadata.continue', rv: 'metadata.resourceVersion' } },
      ),
      remove('templates/c', { code: 200 }),
      made('templates', template('cc')),
      mergePatch('templates/d', { spec: { displayName: 'later' } }, { code: 200 }),
      get(
        'templates',
        {
          code: 200,
          body: {
            metadata: { resourceVersion: '$rv', remainingItemCount: 1 },
            items: [
              { metadata: { name: 'c' } },
              { metadata: { name: 'd' }, spec: { displayName: 'Invoice' } },
            ],
          },
        },
        { query: { limit: '2', continue: '$token' }, save: { token: 'metadata.continue' } },
      ),
      get(
        'templates',
        { ...listed(['e']), absent: ['metadata.continue', 'metadata.remainingItemCount'] },
        { query: { limit: '2', continue: '$token' } },
      ),
    ],
  },
  {
    name: 'a page at a resourceVersion shows the objects of that version',
    steps: [
      ...FIVE,
      get('templates/e', { code: 200 }, { save: { rv: 'metadata.resourceVersion' } }),
      made('templates', template('bb')),
      remove('templates/c', { code: 200 }),
      get('templates', listed(['a', 'b', 'c', 'd', 'e']), {
        query: { limit: '500', resourceVersion: '$rv' },
      }),
      get('templates', listed(['a', 'b', 'bb', 'd', 'e']), { query: { limit: '500' } }),
    ],
  },
  {
    name: 'the last page has no continue token, even if it is full',
    steps: [
      ...FIVE,
      get(
        'templates',
        { ...listed(['a', 'b', 'c', 'd', 'e']), absent: ['metadata.continue'] },
        { query: { limit: '5' } },
      ),
      get(
        'templates',
        { ...listed(['a', 'b', 'c', 'd', 'e']), absent: ['metadata.continue'] },
        { query: { limit: '0' } },
      ),
      get('templates', listed(['a', 'b', 'c', 'd', 'e']), { query: { limit: '500' } }),
    ],
  },
  {
    name: 'a list of all namespaces has pages',
    steps: [
      made('templates', template('a', {}, { labels: { in: '$ns' } })),
      made('templates', template('b', {}, { labels: { in: '$ns' } })),
      get(
        '/apis/trifold.dev/v1alpha1/templates',
        { code: 200, body: { items: [{ metadata: { name: 'a', namespace: '$ns' } }] } },
        { query: { limit: '1', labelSelector: 'in=$ns' }, save: { token: 'metadata.continue' } },
      ),
      get('/apis/trifold.dev/v1alpha1/templates', listed(['b']), {
        query: { limit: '1', labelSelector: 'in=$ns', continue: '$token' },
      }),
      get('/apis/trifold.dev/v1alpha1/templates', listed(['a', 'b']), {
        query: { fieldSelector: 'metadata.namespace=$ns' },
      }),
    ],
  },
  {
    name: 'invalid continue tokens are rejected',
    steps: [
      ...FIVE,
      get(
        'templates',
        { code: 200 },
        { query: { limit: '2' }, save: { token: 'metadata.continue', rv: 'metadata.resourceVersion' } },
      ),
      get('templates', BAD_REQUEST, { query: { limit: '2', continue: 'forged' } }),
      get('templates', BAD_REQUEST, { query: { limit: '2', continue: '%00' } }),
      get('templates', BAD_REQUEST, { query: { limit: '2', continue: 'eyJ2IjoiYmFkIn0' } }),
      get('templates', BAD_REQUEST, { query: { limit: '2', continue: '$token', resourceVersion: '$rv' } }),
    ],
  },
  {
    name: 'a continue token expires when its version is compacted',
    steps: [
      ...FIVE,
      get('templates', { code: 200 }, { query: { limit: '2' }, save: { token: 'metadata.continue' } }),
      mergePatch('templates/a', { spec: { displayName: 'B' } }, { code: 200 }),
      made('templates', template('f')),
      get(
        'templates',
        { code: 410, reason: 'Expired' },
        { query: { limit: '2', continue: '$token' }, afterCompaction: true },
      ),
      get('templates', listed(['a', 'b', 'c', 'd', 'e', 'f'])),
    ],
  },
  {
    name: 'invalid limits, timeouts and resource versions are rejected',
    steps: [
      get('templates', BAD_REQUEST, { query: { limit: 'many' } }),
      get('templates', BAD_REQUEST, { query: { timeoutSeconds: 'long' } }),
      get('templates', BAD_REQUEST, { query: { resourceVersion: 'abc' } }),
      get(
        'templates',
        { code: 422, reason: 'Invalid', causes: ['resourceVersionMatch: FieldValueForbidden'] },
        { query: { resourceVersionMatch: 'Exact' } },
      ),
      get(
        'templates',
        { code: 422, reason: 'Invalid', causes: ['resourceVersionMatch: FieldValueNotSupported'] },
        { query: { resourceVersion: '1', resourceVersionMatch: 'Roughly' } },
      ),
    ],
  },
];
