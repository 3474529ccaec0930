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
      'Send `Authorization: Bearer <API key>` with every request. A key has scopes; each operation lists the scope that it',
      'requires. Documents created with test keys (`tf_test_…`) have a watermark; those created with live keys (`tf_live_…`) do not.',
      '',
      'Bodies are JSON in UTF-8. An operation rejects unknown fields. An operation without a request',
      'body accepts an empty body or `{}`. Paths in responses are relative to the service. Times are ISO 8601. Every GET operation',
      'also supports HEAD.',
      '',
      'Every error has the same body, `Error`, except when the key lacks a scope: that error has the body',
      '`InsufficientScopeError`. The `code` of an error is stable. New codes may be added.',
      '',
      'A file has the media type of its format. `application/octet-stream` is also listed so that generated clients return the bytes of the file.',
      'Events are described as callbacks of the operations that set their URLs.',
    ].join('\n'),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Templates', description: 'HTML with `{{bindings}}`, CSS, and a schema for the data.' },
    {
      name: 'Documents',
      description: `Documents from a template and data, downloadable for ${DOCUMENT_LIFETIME}.`,
    },
    { name: 'Batches', description: 'Up to 100 documents from one template in one request.' },
    { name: 'Emails', description: 'Emails compiled from templates; you send them.' },
    { name: 'API keys', description: 'Keys and their scopes.' },
    { name: 'Usage', description: 'Account usage and its cost.' },
    { name: 'Webhooks', description: 'Endpoints to which the service delivers events.' },
    { name: 'Service', description: 'The service itself.' },
  ],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A 51-character API key: `tf_live_…` or `tf_test_…`. Each operation lists the scope that the key must have.',
      },
    },
  },
} as const;
