import { describe, expect, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ROUTE_SCOPES } from '../auth/scopes.ts';
import { encodeEvent, EVENT_TYPES } from '@trifold/crds';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; description?: string; required?: boolean }[];
  callbacks?: Record<string, Record<string, { post: Operation }>>;
  requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema: object; example?: unknown }> }
  >;
}
interface OpenApi {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

const gateway = await GatewayFixture.shared();
const answer = await gateway.call('GET', '/v1/openapi.json', { key: '' });
expect(answer.statusCode, answer.body).toBe(200);
const document = answer.json<OpenApi>();

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  );

function everyValue(value: unknown, found: (name: string, member: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    found(name, member);
    everyValue(member, found);
  }
}

describe('The OpenAPI document', () => {
  it('contains exactly the registered routes of /v1', () => {
    const registered = Object.keys(ROUTE_SCOPES).filter((route) => {
      const [method = '', url = ''] = route.split(' ');
      return gateway.gateway.app.hasRoute({ method, url });
    });
    const documented = operations().map(({ route }) => route);
    expect(documented.sort()).toEqual([...registered, 'GET /v1/openapi.json'].sort());
  });

  it('gives every operation a unique ID, a summary and a documented tag', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { route, operation } of operations()) {
      expect(operation.operationId, route).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary, route).toMatch(/^[A-Z].{4,}/);
      expect(operation.tags, route).toHaveLength(1);
      expect(tags, route).toContain(operation.tags?.[0]);
      for (const parameter of operation.parameters ?? []) expect(parameter.description, route).toMatch(/\S/);
    }
  });

  it('links responses to the operations that take their ID', () => {
    const byId = new Map(operations().map(({ operation }) => [operation.operationId, operation]));
    const links: string[] = [];
    everyValue(document.paths, (name, member) => {
      if (name === 'links') links.push(...Object.keys(member as object));
    });
    expect(links).toEqual(expect.arrayContaining(['readTemplate', 'downloadDocument', 'revokeApiKey']));
    for (const link of links) {
      expect(byId.get(link)?.parameters, link).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'id', in: 'path' })]),
      );
    }
  });

  it('has no dangling references and no internal keywords', () => {
    const schemas = new Set(Object.keys(document.components['schemas'] ?? {}));
    everyValue(document, (name, member) => {
      expect(name).not.toMatch(/^(nullable|x-pattern-message|x-kubernetes.*|\$id|def-\d+)$/);
      if (name !== '$ref') return;
      const [, , kind = '', target = ''] = String(member).split('/');
      expect(document.components[kind], String(member)).toHaveProperty([target]);
    });
    for (const schema of schemas) expect(schema).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  it('has valid JSON Schemas with matching examples', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(document, 'openapi');
    for (const name of Object.keys(document.components['schemas'] ?? {})) {
      expect(ajv.validateSchema(document.components['schemas']![name] as object), name).toBe(true);
      ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    }
    for (const { route, operation } of operations()) {
      const { requestBody, responses } = operation;
      const successful = Object.entries(responses).flatMap(([status, response]) =>
        status.startsWith('2') ? [response.content?.['application/json']] : [],
      );
      for (const body of [requestBody?.content['application/json'], ...successful]) {
        if (!body) continue;
        expect(body, route).toHaveProperty('example');
        const { $ref } = body.schema as { $ref?: string };
        const validate = ajv.compile($ref === undefined ? body.schema : { $ref: `openapi${$ref}` });
        expect(validate(body.example), `${route} ${ajv.errorsText(validate.errors)}`).toBe(true);
      }
    }
  });

  it('has names and media types that generated clients can use', () => {
    // Go clients define the function NewTemplate for Template.
    const names = Object.keys(document.components['schemas'] ?? {});
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
    for (const { route, operation } of operations()) {
      const [first, ...others] = Object.keys(operation.responses['200']?.content ?? {});
      if (others.length > 0) expect(first, route).toMatch(/^application\/(json|octet-stream)$/);
    }
  });

  it('describes the request that delivers each type of event', () => {
    const callbacks = operations().flatMap(({ operation }) => Object.entries(operation.callbacks ?? {}));
    expect(callbacks.map(([type]) => type).sort()).toEqual([...EVENT_TYPES].sort());
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(document, 'openapi');
    const data = { endpoint: 'account' };
    const event = { id: 'evt-1', type: 'webhook.test' as const, createdAt: new Date(), data };
    const body = JSON.parse(encodeEvent(event)) as object;
    for (const [type, urls] of callbacks) {
      const [{ post }] = Object.values(urls) as [{ post: Operation }];
      const { $ref } = post.requestBody!.content['application/json']!.schema as { $ref: string };
      const validate = ajv.compile({ $ref: `openapi${$ref}` });
      expect(validate(body), type).toBe(type === 'webhook.test');
    }
  });
});
