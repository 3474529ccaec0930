import { srcsetUrls } from '@trifold/platform/templating/srcset-urls.ts';
import { isScreenOnly } from './css-urls.ts';

/** A URL in an attribute. */
export interface NamedUrl {
  readonly url: string;
  /** Name of the attribute in the HTML. */
  readonly attribute: string;
  readonly noun: 'image' | 'font' | 'style sheet' | 'script';
  /** Whether even absolute URLs are not requested. */
  readonly isElsewhere?: boolean;
}

type Attributes = ReadonlyMap<string, string>;

/** Types of scripts that run: no type, JavaScript and modules (HTML, 4.12.1). Other scripts are data. */
const RUNS = /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script(?:1\.\d)?|)(?:\s*;.*)?$/i;
const IS_DATA = /^\s*data:/i;
const STYLE_SHEET = /(?:^|\s)stylesheet(?:\s|$)/i;
const ALTERNATE = /(?:^|\s)alternate(?:\s|$)/i;

interface Permissions {
  /** Whether scripts run. */
  readonly scripts: boolean;
  /** Whether the document is shown in a reader's browser, which plays media. */
  readonly selfContained: boolean;
}

const frame = (attributes: Attributes) =>
  attributes.has('srcdoc') || embeds(attributes, 'src') ? undefined : 'Frames are not loaded.';
const media = (_: Attributes, { selfContained }: Permissions) =>
  selfContained ? undefined : 'Documents do not play media.';

const UNSUPPORTED = new Map<string, (attributes: Attributes, permissions: Permissions) => string | undefined>(
  Object.entries({
    script: (attributes, { scripts }) =>
      scripts || !runs(attributes) ? undefined : 'Scripts do not run in documents.',
    canvas: (_, { scripts }) =>
      scripts ? undefined : 'A canvas stays empty, because scripts do not run in documents.',
    iframe: frame,
    frame,
    video: media,
    audio: media,
    object: (attributes) => (embeds(attributes, 'data') ? undefined : 'Objects are not loaded.'),
    embed: (attributes) =>
      embeds(attributes, 'src') ? undefined : 'Embedded pages and plug-ins are not loaded.',
  }),
);

/** Returns the reason that an element prints nothing, as a sentence; undefined if the element prints something. */
export function unsupported(
  name: string,
  attributes: Attributes,
  permissions: Permissions,
): string | undefined {
  return UNSUPPORTED.get(name)?.(attributes, permissions);
}

/** Returns the name of an attribute whose script does not run. */
export function scriptAttribute(attributes: Attributes, { scripts }: Permissions): string | undefined {
  if (scripts) return undefined;
  for (const [name, value] of attributes) {
    if (/^on[a-z]{3}/.test(name) && value.trim() !== '') return name;
  }
  return undefined;
}

const background = (attributes: Attributes) => urlIn(attributes, 'background');
const reference = (attributes: Attributes) => [
  ...urlIn(attributes, 'href'),
  ...urlIn(attributes, 'xlink:href'),
];
const drawing = (attributes: Attributes) => [...reference(attributes), ...urlIn(attributes, 'src')];

const URLS = new Map<string, (attributes: Attributes) => NamedUrl[]>(
  Object.entries({
    body: background,
    table: background,
    tr: background,
    td: background,
    th: background,
    image: drawing,
    feimage: drawing,
    img: (attributes) => [...urlIn(attributes, 'src'), ...candidates(attributes.get('srcset') ?? '')],
    source: (attributes) => candidates(attributes.get('srcset') ?? ''),
    input: (attributes) => (/^image$/i.test(attributes.get('type') ?? '') ? urlIn(attributes, 'src') : []),
    link: (attributes) => (isStyleSheet(attributes) ? urlIn(attributes, 'href', 'style sheet') : []),
    script: (attributes) => (runs(attributes) ? urlIn(attributes, 'src', 'script') : []),
    use: (attributes) => reference(attributes).map((each) => ({ ...each, isElsewhere: true })),
  }),
);

/** Returns the URLs of images, style sheets and scripts that an element references. */
export function attributeUrls(name: string, attributes: Attributes): NamedUrl[] {
  return URLS.get(name)?.(attributes) ?? [];
}

function urlIn(attributes: Attributes, attribute: string, noun: NamedUrl['noun'] = 'image'): NamedUrl[] {
  const url = attributes.get(attribute);
  return url === undefined ? [] : [{ url, attribute, noun }];
}

function runs(attributes: Attributes): boolean {
  return RUNS.test((attributes.get('type') ?? '').trim());
}

function embeds(attributes: Attributes, attribute: string): boolean {
  return IS_DATA.test(attributes.get(attribute) ?? '');
}

function isStyleSheet(attributes: Attributes): boolean {
  const rel = attributes.get('rel') ?? '';
  return STYLE_SHEET.test(rel) && !ALTERNATE.test(rel) && !isScreenOnly(attributes.get('media') ?? '');
}

function candidates(srcset: string): NamedUrl[] {
  return srcsetUrls(srcset).map((url) => ({ url, attribute: 'srcset', noun: 'image' }));
}
