import type { Case, Expectation, Step } from '../case.ts';
import {
  BAD_REQUEST,
  create,
  generationJob,
  get,
  made,
  mergePatch,
  remove,
  replace,
  template,
} from './requests.ts';

const UNAUTHORIZED: Expectation = { code: 401, reason: 'Unauthorized' };
const NOT_ALLOWED: Expectation = { code: 405, reason: 'MethodNotAllowed' };
const UNKNOWN: Expectation = { code: 404, reason: 'NotFound' };
const TOO_LARGE: Expectation = { code: 413, reason: 'RequestEntityTooLarge' };
const NOWHERE: Expectation = { code: 404, codeOnly: true };

function send(method: string, path: string, expect: Expectation, more: Partial<Step> = {}): Step {
  return { method, path, expect, ...more };
}

/** Checks that precede any access to objects: authentication, path, method and media type of the body. */
export const HTTP_CASES: readonly Case[] = [
  {
    name: 'a request without a token or with a wrong token is rejected',
    steps: [
      get('templates', UNAUTHORIZED, { authenticated: false }),
      get('/apis/trifold.dev/v1alpha1', UNAUTHORIZED, { authenticated: false }),
      get('/nowhere', UNAUTHORIZED, { authenticated: false }),
      create('templates', template('a'), UNAUTHORIZED, { authenticated: false }),
      get('templates', UNAUTHORIZED, { headers: { authorization: 'Bearer wrong' } }),
      get('templates', UNAUTHORIZED, { headers: { authorization: 'Bearer ' } }),
      get('templates', UNAUTHORIZED, { headers: { authorization: 'Basic YWRtaW46YWRtaW4=' } }),
      get('templates', { code: 200, body: { items: [] } }),
    ],
  },
  {
    name: 'unknown paths return 404',
    steps: [
      get('/nowhere', NOWHERE),
      get('/apis/trifold.dev/v2', NOWHERE),
      get('/apis/nowhere.dev/v1', NOWHERE),
      get('/apis/trifold.dev/v1alpha1/namespaces/$ns/nothings', NOWHERE),
      get('/apis/trifold.dev/v1alpha1/nothings', NOWHERE),
      create('/apis/trifold.dev/v1alpha1/namespaces/$ns/nothings', template('a'), NOWHERE),
      get('/api/v1/namespaces/$ns/nothings', UNKNOWN),
      made('templates', template('a')),
      get('templates/a/nothing', UNKNOWN),
    ],
  },
  {
    name: 'methods that a path does not support are rejected',
    steps: [
      made('templates', template('a')),
      send('PUT', 'templates', BAD_REQUEST, { body: template('a') }),
      mergePatch('templates', {}, BAD_REQUEST),
      send('POST', 'templates/a/status', NOT_ALLOWED, { body: template('a') }),
      remove('templates/a/status', NOT_ALLOWED),
      send('OPTIONS', 'templates', NOT_ALLOWED),
    ],
  },
  {
    name: 'a body that is not a JSON object is rejected',
    steps: [
      create('templates', '{"apiVersion":', BAD_REQUEST),
      create('templates', '', BAD_REQUEST),
      create('templates', 'null', BAD_REQUEST),
      create('templates', '[]', BAD_REQUEST),
      create('templates', '"text"', BAD_REQUEST),
      create('templates', '5', BAD_REQUEST),
      create('templates', `${JSON.stringify(template('a'))}}`, BAD_REQUEST),
      create('templates', JSON.stringify(template('a')).replace('Invoice', '\n'), BAD_REQUEST),
      create('templates', '{}', BAD_REQUEST),
      made('templates', template('a')),
      replace('templates/a', '{"apiVersion":', BAD_REQUEST),
    ],
  },
  {
    name: 'a body with 20,000 nested lists is rejected',
    steps: [
      create(
        'generationjobs',
        JSON.stringify(generationJob('g')).replace(
          '"data":{}',
          `"data":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
        ),
        BAD_REQUEST,
      ),
    ],
  },
  {
    name: 'a body that is too large is rejected',
    steps: [
      create('templates', template('a', { html: 'x'.repeat(3 * 1024 * 1024) }), TOO_LARGE),
      made('templates', template('a')),
      mergePatch('templates/a', { spec: { html: 'x'.repeat(3 * 1024 * 1024) } }, TOO_LARGE),
    ],
  },
  {
    name: 'a body with an unsupported content type is rejected, and a body without one is read as JSON',
    steps: [
      create(
        'templates',
        template('a'),
        { code: 415, reason: 'UnsupportedMediaType' },
        { headers: { 'content-type': 'text/plain' } },
      ),
      create(
        'templates',
        template('a'),
        { code: 415, reason: 'UnsupportedMediaType' },
        { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ),
      create('templates', template('a'), { code: 201 }, { headers: { 'content-type': '' } }),
      create(
        'templates',
        template('b'),
        { code: 201 },
        { headers: { 'content-type': 'application/json; charset=utf-8' } },
      ),
    ],
  },
  {
    name: 'a response is JSON if the Accept header allows it, and 406 otherwise',
    steps: [
      get('templates', { code: 200, body: { kind: 'TemplateList' } }, { headers: { accept: '*/*' } }),
      get(
        'templates',
        { code: 200, body: { kind: 'TemplateList' } },
        { headers: { accept: 'application/*' } },
      ),
      get(
        'templates',
        { code: 200, body: { kind: 'TemplateList' } },
        { headers: { accept: 'text/html, application/json;q=0.5' } },
      ),
      get(
        'templates',
        { code: 200, body: { kind: 'TemplateList' } },
        { headers: { accept: 'application/vnd.kubernetes.protobuf, application/json' } },
      ),
      get('templates', { code: 406, reason: 'NotAcceptable' }, { headers: { accept: 'text/html' } }),
    ],
  },
];
