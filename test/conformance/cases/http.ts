import type { Cases } from '../case.ts';
import { generationJob, get, mergePatch, post, put, remove, template } from './requests.ts';

/** Checks that precede any access to objects: authentication, path, method and media type of the body. */
export const HTTP: Cases = {
  'a request without a token or with a wrong token is rejected': [
    get('templates', { authorization: '' }),
    get('/apis/trifold.dev/v1alpha1', { authorization: '' }),
    get('/nowhere', { authorization: '' }),
    post('templates', template('a'), { authorization: '' }),
    get('templates', { authorization: 'Bearer wrong' }),
    get('templates', { authorization: 'Bearer ' }),
    get('templates', { authorization: 'Basic YWRtaW46YWRtaW4=' }),
    get('templates'),
  ],
  'unknown paths return 404': [
    get('/nowhere'),
    get('/apis/trifold.dev/v2'),
    get('/apis/nowhere.dev/v1'),
    get('/openapi/v3/apis/trifold.dev/v2'),
    get('/apis/trifold.dev/v1alpha1/namespaces/$ns/nothings'),
    get('/apis/trifold.dev/v1alpha1/nothings'),
    post('/apis/trifold.dev/v1alpha1/namespaces/$ns/nothings', template('a')),
    get('/api/v1/namespaces/$ns/nothings'),
  ],
  'methods that a path does not support are rejected': [
    post('templates', template('a')),
    put('templates', template('a')),
    mergePatch('templates', {}),
    post('templates/a/status', template('a')),
    remove('templates/a/status'),
    { method: 'OPTIONS', path: 'templates' },
  ],
  'a body that is not a JSON object is rejected': [
    post('templates', '{"apiVersion":'),
    post('templates', ''),
    post('templates', 'null'),
    post('templates', '[]'),
    post('templates', '"text"'),
    post('templates', '5'),
    post('templates', `${JSON.stringify(template('a'))}}`),
    post('templates', JSON.stringify(template('a')).replace('Invoice', '\n')),
    post('templates', '{}'),
    post('templates', template('a')),
    put('templates/a', '{"apiVersion":'),
  ],
  'a body with 20,000 nested lists is rejected': [
    post(
      'generationjobs',
      JSON.stringify(generationJob('g')).replace(
        '"data":{}',
        `"data":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      ),
    ),
  ],
  'a body that is too large is rejected': [
    post('templates', template('a', { html: 'x'.repeat(3 * 1024 * 1024) })),
    post('templates', template('a')),
    mergePatch('templates/a', { spec: { html: 'x'.repeat(3 * 1024 * 1024) } }),
  ],
  'a body with an unsupported content type is rejected, and a body without one is read as JSON': [
    post('templates', template('a'), { 'content-type': 'text/plain' }),
    post('templates', template('a'), { 'content-type': 'application/x-www-form-urlencoded' }),
    post('templates', template('a'), { 'content-type': '' }),
    post('templates', template('b'), { 'content-type': 'application/json; charset=utf-8' }),
  ],
  'a response is JSON if the Accept header allows it, and 406 otherwise': [
    get('templates', { accept: '*/*' }),
    get('templates', { accept: 'application/*' }),
    get('templates', { accept: 'text/html, application/json;q=0.5' }),
    get('templates', { accept: 'application/vnd.kubernetes.protobuf, application/json' }),
    get('templates', { accept: 'text/html' }),
  ],
};
