/** Rights of the gateway and the controller, by API group: the union of their ClusterRoles in the chart. */
export const CLUSTER_RIGHTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'trifold.dev': {
    templates: 'create delete get list update watch',
    'templates/status': 'update',
    generationjobs: 'create delete get list patch watch',
    'generationjobs/status': 'update',
    batches: 'create delete get list watch',
    'batches/status': 'update',
    apikeys: 'create delete get list watch',
    'apikeys/status': 'patch',
    usagereports: 'create delete get list',
    'usagereports/status': 'update',
    webhookendpoints: 'create delete get list update watch',
    'webhookendpoints/status': 'update',
    webhookdeliveries: 'create delete get list patch watch',
    'webhookdeliveries/status': 'update',
  },
  '': {
    namespaces: 'get list watch',
    events: 'create patch',
  },
};
