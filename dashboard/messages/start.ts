export const start = {
  title: 'Your first document',
  lead: 'A PDF with one request, then your own template.',
  readOnlyTitle: 'Start',
  makeTemplate: 'Create a template',
  done: 'Done',
  createKey: 'Create a key',
  createKeyText:
    'Your program sends the key with every request. The key is shown only once; keep it on your server. A request that contains its template requires the documents:generate and templates:write scopes.',
  toKeys: 'Go to API keys',
  exportKey: 'Set the variable TRIFOLD_KEY in your shell. The command waits for you to paste the key.',
  exportKeyLabel: 'Command that sets TRIFOLD_KEY',
  generate: 'Generate a document',
  generateText:
    'One request contains the template, which is HTML with bindings such as {{name}}, and the data. The response is the file, hello.pdf.',
  design: 'Design a template',
  designText:
    'Save a template to edit it with a live preview. Requests then name it with template_id instead of sending its HTML.',
  toNewTemplate: 'New template',
  sections: 'What else you can do',
  readOnlySections: 'What you can see',
  sectionMeanings: {
    '/templates': 'Templates with a live preview, and their history.',
    '/documents': 'The documents and batches from the last 24 hours.',
    '/emails': 'Emails as they look in email clients.',
    '/webhooks': 'Event destinations and the delivery log.',
    '/keys': "The account's keys, and when they were last used.",
    '/requests': 'Failed requests and successful writes from your programs.',
    '/usage': 'Documents by day and format, with their cost.',
  },
  apiReferenceMeaning: 'All API requests and responses.',
};
