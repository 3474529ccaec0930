/** A URL in an attribute. */
export interface NamedUrl {
  readonly url: string;
  /** Name of the attribute in the HTML. */
  readonly attribute: string;
  readonly noun: 'image' | 'font' | 'style sheet' | 'script';
  /** Whether absolute URLs are not requested, either. */
  readonly isElsewhere?: boolean;
}

type Attributes = ReadonlyMap<string, string>;

/** Types of a script that runs: an absent one, JavaScript and modules (HTML, 4.12.1). Other scripts are data. */
const RUNS = /^\s*(?:module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script(?:1\.\d)?|)\s*(?:;.*)?$/i;
const IS_DATA = /^\s*data:/i;
const STYLE_SHEET = /(?:^|\s)stylesheet(?:\s|$)/i;
const ALTERNATE = /(?:^|\s)alternate(?:\s|$)/i;
const SCREEN = /^\s*(?:only\s+)?(?:screen|speech)\s*$/i;

/** Returns why an element prints as nothing, as a sentence; undefined if it does not, or if it needs nothing. */
export function unsupported(
  name: string,
  attributes: Attributes,
  { scripts, selfContained }: { readonly scripts: boolean; readonly selfContained: boolean },
): string | undefined {
  const embeds = (attribute: string) => IS_DATA.test(attributes.get(attribute) ?? '');
  switch (name) {
    case 'script':
      return scripts || !RUNS.test(attributes.get('type') ?? '')
        ? undefined
        : 'Scripts do not run in documents.';
    case 'canvas':
      return scripts ? undefined : 'A canvas stays empty, because scripts do not run in documents.';
    case 'iframe':
    case 'frame':
      return attributes.has('srcdoc') || embeds('src') ? undefined : 'Frames are not loaded.';
    case 'video':
    case 'audio':
      return selfContained ? undefined : `A document does not play ${name}.`;
    case 'object':
      return embeds('data') ? undefined : 'Objects are not loaded.';
    case 'embed':
      return embeds('src') ? undefined : 'Embedded pages and plug-ins are not loaded.';
    default:
      return undefined;
  }
}

/** Returns the URLs of images, style sheets and scripts that an element names. */
export function attributeUrls(name: string, attributes: Attributes): NamedUrl[] {
  const one = (attribute: string, noun: NamedUrl['noun'] = 'image'): NamedUrl[] => {
    const url = attributes.get(attribute);
    return url === undefined ? [] : [{ url, attribute, noun }];
  };
  const background = name === 'body' || name.startsWith('t') ? one('background') : [];
  switch (name) {
    case 'img':
    case 'source':
      return [...(name === 'img' ? one('src') : []), ...candidates(attributes.get('srcset') ?? '')];
    case 'input':
      return /^image$/i.test(attributes.get('type') ?? '') ? one('src') : [];
    case 'link':
      return isStyleSheet(attributes) ? one('href', 'style sheet') : [];
    case 'script':
      return RUNS.test(attributes.get('type') ?? '') ? one('src', 'script') : [];
    case 'image':
    case 'feimage':
      return [...one('href'), ...one('xlink:href'), ...one('src')];
    case 'use':
      return [...one('href'), ...one('xlink:href')].map((each) => ({ ...each, isElsewhere: true }));
    default:
      return background;
  }
}

function isStyleSheet(attributes: Attributes): boolean {
  const rel = attributes.get('rel') ?? '';
  return STYLE_SHEET.test(rel) && !ALTERNATE.test(rel) && !SCREEN.test(attributes.get('media') ?? '');
}

/** URLs of `srcset`: the first word of each part. A URL may contain commas, but does not begin or end with one. */
function candidates(srcset: string): NamedUrl[] {
  const words = srcset.split(/\s+/).filter((word) => word !== '');
  const found: NamedUrl[] = [];
  let isUrl = true;
  for (const word of words) {
    if (isUrl) found.push({ url: word.replace(/,$/, ''), attribute: 'srcset', noun: 'image' });
    isUrl = word.endsWith(',');
  }
  return found;
}
