/** A group of pages for one kind of reader. */
export interface Shelf {
  readonly title: string;
  /** One sentence for the start page and llms.txt. */
  readonly summary: string;
  /** In the order of the sidebar; the start page shows the first pages. */
  readonly entries: readonly Entry[];
}

/** The path of a page, relative to docs/, or a folder. A page above docs/ begins with `../`. */
export type Entry = string | Folder;

/** The pages of a folder of docs/ that have no separate entry. */
export interface Folder {
  readonly folder: string;
  /** File names in this order; the rest follow by name. */
  readonly first?: readonly string[];
  /** The sidebar shows one link with this title until a page of the folder is open. @default each page has a link */
  readonly title?: string;
}

/** The shelves of the site. Each page of docs/ is on exactly one of them, except the start page, index.md. */
export const SHELVES: readonly Shelf[] = [
  {
    title: 'Use the API',
    summary: 'Generate documents and emails from your program.',
    entries: [
      'tutorials/first-pdf.md',
      'tutorials/typescript.md',
      'tutorials/python.md',
      'api/overview.md',
      {
        folder: 'api',
        title: 'API reference',
        first: [
          'documents.md',
          'templates.md',
          'batches.md',
          'emails.md',
          'webhooks.md',
          'api-keys.md',
          'usage.md',
          'service.md',
        ],
      },
      'how-to/batches.md',
      'emails.md',
      'webhooks.md',
      'how-to/webhooks-on-localhost.md',
      'how-to/test-against-trifold.md',
      'api/errors-and-retries.md',
      'how-to/find-a-request.md',
      'errors.md',
      'api/idempotency.md',
      'api/pagination.md',
      'api/rate-limits.md',
      'api/limits.md',
      'troubleshooting.md',
      'migrate.md',
      'explanation/comparison.md',
    ],
  },
  {
    title: 'Design templates',
    summary: 'Write HTML templates, check their data, and control the printed page.',
    entries: [
      'tutorials/dashboard.md',
      'tutorials/invoice.md',
      'tutorials/templates-in-git.md',
      'how-to/render-from-the-command-line.md',
      'how-to/keep-templates-in-git.md',
      'how-to/test-templates.md',
      'templates.md',
      'data-schema.md',
      'template-helpers.md',
      'rendering.md',
      'formats.md',
      'dashboard.md',
      'how-to/archive-documents.md',
      'how-to/accessible-documents.md',
      'how-to/attach-files.md',
      'how-to/e-invoices.md',
      'e-invoice-terms.md',
      'how-to/fonts.md',
      'how-to/remote-images.md',
    ],
  },
  {
    title: 'Run it',
    summary: 'Install, configure, secure and operate the service.',
    entries: [
      'tutorials/cluster.md',
      {
        folder: 'run',
        first: [
          'install.md',
          'production-checklist.md',
          'argo-cd-and-flux.md',
          'platforms.md',
          'redis.md',
          'object-store.md',
          'ingress.md',
          'proxies.md',
          'oidc.md',
          'accounts.md',
          'sizing.md',
          'limits.md',
          'monitoring.md',
          'upgrade.md',
          'backup.md',
          'stuck-document.md',
        ],
      },
      'configuration.md',
      'security.md',
      'threat-model.md',
      'explanation/sessions.md',
      'benchmarks.md',
      'explanation/scale.md',
      'explanation/power-cuts.md',
    ],
  },
  {
    title: 'Extend Kubernetes with it',
    summary: 'Work with templates, documents and webhooks as Kubernetes resources.',
    entries: [
      'platform-engineers.md',
      'how-to/kubectl-queries.md',
      'how-to/kubernetes-roles.md',
      'explanation/job-changes.md',
      'explanation/embedded-apiserver.md',
      { folder: 'kinds' },
    ],
  },
  {
    title: 'Contribute',
    summary: 'Understand the code, its tests and the decisions behind it.',
    entries: [
      '../CONTRIBUTING.md',
      'architecture.md',
      'explanation/code-walks.md',
      'explanation/fairness.md',
      'explanation/processes.md',
      'explanation/webhook-delivery.md',
      'testing.md',
      'glossary.md',
      'interface-choices.md',
      {
        folder: 'adr',
        title: 'Decisions',
        first: ['index.md', '0047-kubernetes-resources.md', '0048-embedded-api-server.md'],
      },
    ],
  },
];
