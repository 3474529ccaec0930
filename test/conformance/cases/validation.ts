import type { Cases } from '../case.ts';
import { apiKey, batch, generationJob, mergePatch, post, put, template } from './requests.ts';

const KEPT = {
  nil: null,
  list: [null, 1, [], {}],
  text: 'é😀',
  zero: 0,
  no: false,
  deep: { a: { b: [1.5] } },
  'od.d key/': 'x',
};

const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'Compiled',
  message: '',
  lastTransitionTime: '2026-11-21T03:05:00Z',
};

/** Validation, defaults and pruning of structural schemas. */
export const VALIDATION: Cases = {
  'an omitted state becomes active': [post('templates', template('x'))],
  'a null state becomes active': [post('templates', template('x', { state: null }))],
  'omitted format and mode become pdf and live': [post('generationjobs', generationJob('x'))],
  'omitted format and mode of a batch become pdf and live': [post('batches', batch('x'))],
  'data is stored unchanged': [post('generationjobs', generationJob('x', { data: KEPT }))],
  'limits count characters, not bytes': [post('templates', template('x', { displayName: '😀'.repeat(200) }))],
  'html of the maximum length is accepted': [post('templates', template('x', { html: 'x'.repeat(1048576) }))],
  'empty html is stored': [post('templates', template('x', { html: '' }))],
  'a time with milliseconds is stored unchanged': [
    post('templates', template('x', { changedAt: '2026-11-21T03:05:00.123Z' })),
  ],
  'a time with an offset is stored unchanged': [
    post('templates', template('x', { changedAt: '2026-11-21T03:05:00+02:00' })),
  ],
  'nested schemas are stored': [
    post(
      'templates',
      template('x', {
        schema: {
          fields: [
            {
              name: 'a',
              type: 'array',
              items: { type: 'object', properties: { q: { type: 'number' } } },
              default: [{ q: 1 }],
            },
          ],
        },
      }),
    ),
  ],
  'defaults of every field type are stored': [
    post(
      'templates',
      template('x', {
        schema: {
          fields: [
            { name: 'a', type: 'string', default: 'x' },
            { name: 'b', type: 'number', default: 0 },
            { name: 'c', type: 'boolean', default: false },
          ],
        },
      }),
    ),
  ],
  'an empty list of scopes is stored': [post('apikeys', apiKey('x', { scopes: [] }))],
  'integers can be written with a zero fraction or an exponent': [
    post('generationjobs', JSON.stringify(generationJob('x', { version: 7 })).replace(':7', ':7.0')),
    post('generationjobs', JSON.stringify(generationJob('y', { version: 7 })).replace(':7', ':7e2')),
  ],
  'an update is validated, defaulted and pruned like a creation': [
    post('templates', template('a', { state: 'draft' })),
    put('templates/a', template('a', { displayName: '' }, { resourceVersion: '$version1' })),
    put('templates/a', template('a', {}, { resourceVersion: '$version1' })),
    mergePatch('templates/a', { spec: { state: 'x' } }),
    mergePatch('templates/a', { spec: null }),
    mergePatch('templates/a', { spec: { html: null } }),
  ],
  'status is validated against its own schema': [
    post('templates', template('a')),
    mergePatch('templates/a/status', { status: { conditions: [CONDITION, CONDITION] } }),
    mergePatch('templates/a/status', { status: { conditions: [{ ...CONDITION, status: 'Yes' }] } }),
    mergePatch('templates/a/status', { status: { conditions: [{ type: 'Ready' }] } }),
    mergePatch('templates/a/status', { status: { conditions: [{ ...CONDITION, type: undefined }] } }),
    mergePatch('templates/a/status', {
      status: { conditions: Array.from({ length: 17 }, (_, index) => ({ ...CONDITION, type: `T${index}` })) },
    }),
    mergePatch('templates/a/status', { status: { revision: 'x' } }),
    mergePatch('templates/a/status', {
      status: { conditions: [CONDITION, { ...CONDITION, type: 'Other' }] },
    }),
  ],
};
