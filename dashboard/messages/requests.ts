export const requests = {
  title: 'Requests',
  lead: 'The latest failed requests and successful writes with an API key, newest first. Reload the page to see later ones.',
  outcome: 'Result',
  outcomes: { failed: 'Failed', succeeded: 'Successful writes' },
  request: 'Request',
  requestId: 'Request ID',
  requestIdHint: 'From the response that your program received',
  time: 'Time',
  status: 'Status',
  resource: 'Resource',
  template: 'Template',
  key: 'Key',
  duration: 'Duration',
  copyOne: (id: string) => `Copy ${id}`,
  empty:
    'No failed requests or successful writes in the last seven days. Reads, previews and this dashboard are not listed.',
  emptyFiltered: 'No requests match the filters.',
};
