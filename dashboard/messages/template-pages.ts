import { namesOfFormats } from '../documents/formats.ts';

/** Preview of a template. */
export const preview = {
  title: 'Preview',
  format: 'Preview format',
  formats: { ...namesOfFormats('label'), email: 'Email' },
  result: 'Result',
  compare: 'Compare',
  compareHint: (which: 'saved' | 'published') => `Compare with the ${which} version`,
  liveVersion: (number: string, which: 'saved' | 'published') => `Version ${number}, ${which}`,
  yours: 'Your draft',
  empty: 'The preview appears here.',
  updating: 'Updating…',
  outdated: 'Last preview',
  outdatedHint: 'The preview is out of date. It updates when the errors are fixed.',
  durationHint: (check: string, merge: string, print: string) =>
    `Checks ${check}, data ${merge}, file ${print}`,
  download: 'Download',
  filename: 'preview',
  page: (number: number) => `Page ${number}`,
  pageOf: (current: string, count: string) => `Page ${current} of ${count}`,
  pages: 'Document pages',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomPercent: (percent: string) => `${percent} %`,
  fit: { width: 'Fit width', page: 'Fit page' },
  picture: 'Document image',
  frame: 'The document in HTML',
  notPdf: 'The file cannot be shown.',
  goToSource: 'Go to HTML',
  goToSourceHint:
    'Goes to the HTML of the selected text, or of the first visible text. Or click text in the preview. Ctrl+Alt+P',
  noSource: 'This text is not in the HTML. It may come from the CSS, the header or the footer.',
  noPlace: 'The pages do not contain the text at the cursor.',
  notShown: (label: string) => `Browsers cannot show ${label} documents. Download the file to open it.`,
  subject: 'Subject',
  preheader: 'Preview text',
  emailParts: { html: 'HTML', text: 'Plain text' },
  emailPart: 'Email part',
};

/** Versions of a template. */
export const history = {
  title: (name: string) => `History of ${name}`,
  versions: 'Versions',
  version: (number: string) => `Version ${number}`,
  saved: 'Saved',
  published: 'Published',
  changes: { created: 'Created', updated: 'Updated', restored: 'Restored' },
  by: { key: '', kubectl: ' with kubectl' },
  view: 'View',
  views: { preview: 'Preview', changes: 'Changes' },
  sample: 'Sample data',
  noSamples: 'The template has no sample data. The preview uses an empty object.',
  compareWith: 'Compare with',
  withBefore: (number: string) => `Since version ${number}`,
  withCurrent: (number: string) => `Until saved version ${number}`,
  noOther: 'This is the only stored version.',
  same: 'Both versions have the same content.',
  part: 'Template part',
  settings: 'Name and status',
  showUnchanged: 'Show unchanged lines',
  restore: 'Restore',
  restoreTitle: (number: string) => `Restore version ${number}?`,
  restoreText: (number: string, next: string) =>
    `The content, name and status of version ${number} become version ${next}. All versions stay in the history.`,
  restored: (number: string, next: string) => `Version ${number} restored as version ${next}.`,
  publish: 'Publish',
  publishTitle: (number: string) => `Publish version ${number}?`,
  publishText: (number: string) =>
    `Documents and emails use version ${number} from now on, unless their request names another version. Later changes to the template have no effect on them until you publish again.`,
  isPublished: (number: string) => `Version ${number} published.`,
  unpublish: 'Stop pinning: always use the latest version',
  unpublishTitle: 'Stop using the published version?',
  unpublishText: (number: string) =>
    `From now on, documents and emails use saved version ${number}, and later versions as soon as they are saved.`,
  unpublished: 'Documents use the saved version.',
  currentInForce: (number: string) => `Documents use saved version ${number}.`,
  publishHint: 'Publish a version if you want to change the template without affecting documents.',
  publishedInForce: (published: string, saved: string) =>
    `Documents use the published version ${published}. The saved version is ${saved}.`,
};

/** Starters, import and export of templates. */
export const gallery = {
  title: 'New template',
  lead: 'Choose a starting point. You can change everything later.',
  starter: 'Start with',
  blankName: 'Blank page',
  blankDescription: 'A page with a heading.',
  blankTitle: 'A new template',
  pastedName: 'Blank from HTML',
  pastedDescription: 'Paste your own HTML and CSS.',
  html: 'HTML',
  htmlHint: 'A whole page or a part of one, with bindings such as {{name}}.',
  css: 'CSS',
  cssHint: 'In addition to the styles in the HTML.',
  printOptions: 'Print options',
  createData: (count: number) =>
    count === 1
      ? 'Create the schema and sample data for its binding'
      : `Create the schema and sample data for its ${count} bindings`,
  sample: 'Example',
  name: 'Name',
  nameMissing: 'Enter a name.',
  create: 'Create template',
  withoutSamples: (reason: string) => `The template was created without its sample data: ${reason}`,
  import: 'Import YAML',
  export: 'Export YAML',
  exportHint: 'The template with its sample data, ready for kubectl apply',
  exportedWithoutSamples: 'The sample data is too large for a manifest, so the file does not contain it.',
  notYaml: (problem: string) => `The file is not valid YAML: ${problem}`,
  notTemplate:
    'The file contains no Template manifest. A manifest needs apiVersion: trifold.dev/v1alpha1, kind: Template and spec.',
  withoutHtml:
    'The manifest has no spec.html. Export the template again from the service that stores it, or add spec.html.',
  badSamples: 'The annotation trifold.dev/samples is not valid JSON. Correct or remove it.',
  tooLarge: (most: string) => `The file is too large. The limit is ${most}.`,
};
