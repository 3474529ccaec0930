import { DOCUMENT_LIFETIME } from '@trifold/crds/retention.ts';

/** The part of the document that describes the service as a whole; the routes provide the rest. */
export const OUTLINE = {
  openapi: '3.1.0',
  info: {
    title: 'Trifold',
    version: 'v1',
    summary: 'Documents from HTML templates and JSON data.',
    description: [
      'Store a template, send data, get a document.',
      '',
      'Send `Authorization: Bearer <API key>` with every request. A key has scopes; each operation names the scope that it',
      'needs. Documents created with test keys (`tf_test_…`) have a watermark; those created with live keys (`tf_live_…`) do not.',
      '',
      'Bodies are JSON in UTF-8. An operation rejects unknown fields. An operation without a request',
      'body accepts no body or `{}`. Paths in responses are relative to the service. Times are ISO 8601. Every GET operation',
      'also supports HEAD.',
      '',
      'Every error has the same body, `Error`, except for a key that lacks a scope: that error has the body',
      '`InsufficientScopeError`. The `code` of an error is stable. New codes may be added.',
    ].join('\n'),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Templates', description: 'HTML with `{{bindings}}`, CSS, and a schema of the data.' },
    {
      name: 'Documents',
      description: `Documents from a template and data, downloadable for ${DOCUMENT_LIFETIME}.`,
    },
    { name: 'Batches', description: 'Up to 100 documents from one template in one request.' },
    { name: 'Emails', description: 'Emails compiled for inboxes; the caller sends them.' },
    { name: 'API keys', description: 'Keys and their scopes.' },
    { name: 'Usage', description: 'Usage of the account, and its cost.' },
    { name: 'Webhooks', description: 'Endpoints to which the service delivers events.' },
    { name: 'Service', description: 'The service itself.' },
  ],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'tf_live_… or tf_test_…',
        description: 'An API key, 51 characters. Each operation names the scope that the key must have.',
      },
    },
  },
} as const;
