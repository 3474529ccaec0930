import { isObject } from '../encoding/json.ts';
import { AGE_COLUMN, NAME_COLUMN } from '../objects/table.ts';
import { serveKind } from '../served-kind.ts';
import { BUILTIN, objectSchema, STRING } from './builtin.ts';

const DESCRIPTION = 'ConfigMap holds configuration data for pods to consume.';

/** ConfigMaps of core/v1, without binary data. */
export const CONFIG_MAP = serveKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  namespaced: true,
  shortNames: ['cm'],
  categories: [],
  description: DESCRIPTION,
  statusSubresource: false,
  openApi: objectSchema(DESCRIPTION, {
    data: { type: 'object', additionalProperties: STRING, description: 'Values as text.' },
  }),
  columns: [
    NAME_COLUMN,
    {
      name: 'Data',
      type: 'string',
      description: 'Number of values.',
      priority: 0,
      cell: ({ data }) => (isObject(data) ? Object.keys(data).length : 0),
    },
    AGE_COLUMN,
  ],
  selectable: {},
  rules: [],
  behaviour: BUILTIN,
});
