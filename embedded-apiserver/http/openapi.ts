import { createHash } from 'node:crypto';
import type { JsonObject } from '../encoding/json.ts';
import { OBJECT_META } from '../encoding/metadata-decoding.ts';
import type { ServedKind } from '../served-kind.ts';
import { groupVersions } from './discovery.ts';

/**
 * `/openapi/v3` and a document per group version, by path. The documents contain what kubectl reads: object schemas,
 * for `explain`, and the PATCH parameters, which show that the server validates fields.
 */
export function openApiDocuments(kinds: readonly ServedKind[]): Map<string, object> {
  const documents = new Map<string, object>();
  const paths: JsonObject = {};
  for (const [root, served] of groupVersions(kinds)) {
    const document = openApiDocument(root, served);
    const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 32);
    paths[root.slice(1)] = { serverRelativeURL: `/openapi/v3${root}?hash=${hash.toUpperCase()}` };
    documents.set(`/openapi/v3${root}`, document);
  }
  documents.set('/openapi/v3', { paths });
  return documents;
}

const META_NAME = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function openApiDocument(root: string, kinds: readonly ServedKind[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Trifold', version: 'v1.34.0' },
    paths: Object.fromEntries(kinds.map((kind) => [objectPath(root, kind), patchOperation(kind)])),
    components: {
      schemas: {
        [META_NAME]: OBJECT_META,
        ...Object.fromEntries(kinds.map((kind) => [schemaName(kind), objectSchema(kind)])),
      },
    },
  };
}

function objectPath(root: string, { namespaced, plural }: ServedKind): string {
  return `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}/{name}`;
}

function patchOperation(kind: ServedKind): object {
  const schema = reference(schemaName(kind));
  return {
    patch: {
      description: `partially update the specified ${kind.kind}`,
      parameters: ['dryRun', 'fieldValidation'].map((name) => ({
        name,
        in: 'query',
        schema: { type: 'string', uniqueItems: true },
      })),
      responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': groupVersionKind(kind),
    },
  };
}

function groupVersionKind({ group, version, kind }: ServedKind): object {
  return { group, version, kind };
}

/** `dev.trifold.v1alpha1.Template`, `io.k8s.api.core.v1.Secret`. */
function schemaName({ group, version, kind, behaviour }: ServedKind): string {
  if (behaviour.typed)
    return `io.k8s.api.${group === '' ? 'core' : group.replace('.k8s.io', '')}.${version}.${kind}`;
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

function objectSchema(kind: ServedKind): JsonObject {
  return {
    ...kind.openApi,
    properties: {
      ...(kind.openApi['properties'] as JsonObject),
      apiVersion: {
        type: 'string',
        description: 'APIVersion defines the versioned schema of this representation of an object.',
      },
      kind: {
        type: 'string',
        description: 'Kind is a string value representing the REST resource this object represents.',
      },
      metadata: {
        description: 'Standard object metadata.',
        default: {},
        allOf: [reference(META_NAME)],
      },
    },
    'x-kubernetes-group-version-kind': [groupVersionKind(kind)],
  };
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
