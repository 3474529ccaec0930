/** What the document says of the service as a whole; the rest comes from the routes. */
export const OUTLINE = {
  openapi: '3.1.0',
  info: {
    title: 'Trifold',
    version: 'v1',
    summary: 'Documents from HTML templates and JSON data.',
    description: [
      'Store a template, send data, get a document.',
      '',
      'Every request carries `Authorization: Bearer <API key>`. A key holds scopes; each operation names the one that it',
      'needs. Documents of test keys (`tf_test_…`) carry a watermark, those of live keys (`tf_live_…`) do not.',
      '',
      'Bodies are JSON in UTF-8, and what an operation does not know is refused, never ignored: one without a request body',
      'takes none or `{}`. Paths in answers are relative to the service. Times are ISO 8601. Whatever can be read with GET',
      'can be asked with HEAD as well.',
      '',
      'Every error has the same body, `Error`; only a key that lacks a scope is told so with another,',
      '`InsufficientScopeError`. Its `code` is stable, and there may be new ones.',
    ].join('\n'),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Templates', description: 'HTML with `{{bindings}}`, css, and a schema of the data they take.' },
    { name: 'Documents', description: 'A document of a template and data, downloadable for 24 hours.' },
    { name: 'Batches', description: 'Up to 100 documents of one template in one request.' },
    { name: 'Emails', description: 'Letters compiled for inboxes; the caller sends them.' },
    { name: 'API keys', description: 'What may ask for what.' },
    { name: 'Usage', description: 'What was made, and what it costs.' },
    { name: 'Webhooks', description: 'Where the service tells what happened.' },
    { name: 'Service', description: 'The service itself.' },
  ],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'tf_live_… or tf_test_…',
        description: 'An API key, 51 characters. The operation names the scope that it has to hold.',
      },
    },
  },
} as const;
