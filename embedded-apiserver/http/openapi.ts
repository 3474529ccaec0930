import { createHash } from 'node:crypto';
import type { JsonObject } from '../encoding/json.ts';
import { patchTypes, type ServedKind } from '../served-kind.ts';
import { groupVersions } from './discovery.ts';
import { META_PREFIX, metaSchemas } from './openapi-meta.ts';

/** `/openapi/v3` and a document for each group version, by path; used by `kubectl explain` and `apply`. */
export function openApiDocuments(kinds: readonly ServedKind[]): Map<string, object> {
  const documents = new Map<string, object>();
  const paths: JsonObject = {};
  for (const [root, served] of groupVersions(kinds)) {
    const document = openApiDocument(root, served);
    const hash = createHash('sha256')
      .update(JSON.stringify(document))
      .digest('hex')
      .slice(0, 32)
      .toUpperCase();
    paths[root.slice(1)] = { serverRelativeURL: `/openapi/v3${root}?hash=${hash}` };
    documents.set(`/openapi/v3${root}`, document);
  }
  documents.set('/openapi/v3', { paths });
  return documents;
}

function openApiDocument(root: string, kinds: readonly ServedKind[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Trifold', version: 'v1.34.0' },
    paths: Object.fromEntries(kinds.flatMap((kind) => Object.entries(pathsOf(root, kind)))),
    components: {
      schemas: {
        ...metaSchemas(),
        ...Object.fromEntries(kinds.flatMap((kind) => Object.entries(schemasOf(kind)))),
      },
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
}

function pathsOf(root: string, kind: ServedKind): JsonObject {
  const scope = kind.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `${root}${scope}/${kind.plural}`;
  const namespaceParameter = kind.namespaced ? [pathParameter('namespace')] : [];
  const objectParameters = [pathParameter('name'), ...namespaceParameter];
  const paths: JsonObject = {
    [collection]: {
      get: operation(kind, 'list', LIST_PARAMETERS),
      post: operation(kind, 'post', WRITE_PARAMETERS),
      parameters: namespaceParameter,
    },
    [`${collection}/{name}`]: {
      get: operation(kind, 'get', []),
      put: operation(kind, 'put', WRITE_PARAMETERS),
      patch: operation(kind, 'patch', WRITE_PARAMETERS),
      delete: operation(kind, 'delete', DELETE_PARAMETERS),
      parameters: objectParameters,
    },
  };
  if (kind.namespaced) paths[`${root}/${kind.plural}`] = { get: operation(kind, 'list', LIST_PARAMETERS) };
  if (kind.statusSubresource)
    paths[`${collection}/{name}/status`] = {
      get: operation(kind, 'get', []),
      put: operation(kind, 'put', WRITE_PARAMETERS),
      patch: operation(kind, 'patch', WRITE_PARAMETERS),
      parameters: objectParameters,
    };
  return paths;
}

type Action = 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete';

/** Descriptions of the actions, as Kubernetes words them. */
const ACTIONS: Readonly<Record<Action, string>> = {
  get: 'read the specified',
  list: 'list or watch objects of kind',
  post: 'create a',
  put: 'replace the specified',
  patch: 'partially update the specified',
  delete: 'delete a',
};

function operation(kind: ServedKind, action: Action, parameters: readonly object[]): object {
  const { group, version } = kind;
  const answer = reference(action === 'list' ? `${schemaName(kind)}List` : schemaName(kind));
  return {
    description: `${ACTIONS[action]} ${kind.kind}`,
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(kind, action),
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: answer } } },
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind: kind.kind },
  };
}

function requestBody(kind: ServedKind, action: Action): object {
  if (action === 'get' || action === 'list') return {};
  const types = action === 'patch' ? patchTypes(kind) : ['application/json', 'application/yaml'];
  const names: Partial<Record<Action, string>> = {
    patch: `${META_PREFIX}Patch`,
    delete: `${META_PREFIX}DeleteOptions`,
  };
  const schema = reference(names[action] ?? schemaName(kind));
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
}

/** `dev.trifold.v1alpha1.Template`, `io.k8s.api.core.v1.Secret`. */
function schemaName({ group, version, kind, behaviour }: ServedKind): string {
  if (behaviour.typed)
    return `io.k8s.api.${group === '' ? 'core' : group.replace('.k8s.io', '')}.${version}.${kind}`;
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

function schemasOf(kind: ServedKind): JsonObject {
  const { group, version } = kind;
  const identity = (name: string) => [{ group, version, kind: name }];
  const properties = kind.openApi['properties'] as JsonObject;
  return {
    [schemaName(kind)]: {
      ...kind.openApi,
      properties: {
        ...properties,
        ...IDENTITY,
        metadata: {
          description: 'Standard object metadata.',
          default: {},
          allOf: [reference(`${META_PREFIX}ObjectMeta`)],
        },
      },
      'x-kubernetes-group-version-kind': identity(kind.kind),
    },
    [`${schemaName(kind)}List`]: {
      type: 'object',
      description: `${kind.kind}List is a list of ${kind.kind}`,
      required: ['items'],
      properties: {
        ...IDENTITY,
        items: {
          type: 'array',
          description: `List of ${kind.plural}.`,
          items: { default: {}, allOf: [reference(schemaName(kind))] },
        },
        metadata: {
          description: 'Standard list metadata.',
          default: {},
          allOf: [reference(`${META_PREFIX}ListMeta`)],
        },
      },
      'x-kubernetes-group-version-kind': identity(`${kind.kind}List`),
    },
  };
}

const IDENTITY: JsonObject = {
  apiVersion: {
    type: 'string',
    description: 'APIVersion defines the versioned schema of this representation of an object.',
  },
  kind: {
    type: 'string',
    description: 'Kind is a string value representing the REST resource this object represents.',
  },
};

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

function queryParameter(name: string, type: string, description: string): object {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

const DRY_RUN = queryParameter('dryRun', 'string', 'All: nothing is persisted.');

const WRITE_PARAMETERS = [
  DRY_RUN,
  queryParameter('fieldManager', 'string', 'Taken and not used: there is no server-side apply.'),
  queryParameter(
    'fieldValidation',
    'string',
    'What becomes of unknown and duplicate fields: Ignore, Warn (default) or Strict.',
  ),
];

const DELETE_PARAMETERS = [
  DRY_RUN,
  queryParameter('propagationPolicy', 'string', 'Background (default), Foreground or Orphan.'),
];

const LIST_PARAMETERS = [
  queryParameter('allowWatchBookmarks', 'boolean', 'Whether a watch may send bookmarks.'),
  queryParameter('continue', 'string', 'From the page before.'),
  queryParameter('fieldSelector', 'string', 'Restricts by fields.'),
  queryParameter('labelSelector', 'string', 'Restricts by labels.'),
  queryParameter('limit', 'integer', 'Most objects in one answer.'),
  queryParameter('resourceVersion', 'string', 'Which state is wanted.'),
  queryParameter('resourceVersionMatch', 'string', 'Exact or NotOlderThan.'),
  queryParameter('timeoutSeconds', 'integer', 'How long a watch lasts.'),
  queryParameter('watch', 'boolean', 'Stream changes.'),
];
