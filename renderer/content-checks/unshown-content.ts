import { MAX_FOUND_WARNINGS, MAX_LITERAL } from '@trifold/crds/limits.ts';
import type { ProblemPart } from '@trifold/crds';
import { Parser, type DefaultTreeAdapterMap, type Token } from 'parse5';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { WITHOUT_CHILDREN } from '../merge/closed-fragment.ts';
import { shownUrl } from '../shown-url.ts';
import { cssUrls, isScreenOnly } from './css-urls.ts';
import { embeddedProblem } from './embedded-file.ts';
import { attributeUrls, scriptAttribute, unsupported, type NamedUrl } from './element-rules.ts';

export interface UnshownOptions {
  /** Whether scripts run. */
  readonly scripts: boolean;
  /** Whether the document is shown in a reader's browser, which plays media. */
  readonly selfContained: boolean;
  /** Header or footer; undefined for the document. */
  readonly part?: ProblemPart | undefined;
}

/** In UTF-16 units. */
const MAX_SCANNED = 4 * 2 ** 20;
/** Deeper nesting is unusual and slow to parse. */
const MAX_DEPTH = 512;
/** Maximum CPU time for the scan, in microseconds. On a busy machine, a duration would hide warnings. */
const MAX_CPU = 250_000;

/**
 * Text that only some documents contain and that may indicate content that is not shown. Most documents without a
 * problem do not contain it and are not parsed. A forward search: each part is short.
 */
const SUSPECT = new RegExp(
  [
    '<(?:script|canvas|iframe|frame|video|audio|object|embed)(?![a-z0-9:_-])',
    String.raw`\son[a-z]{3,30}\s{0,5}=`,
    String.raw`<use\b[^>]{0,200}href\s{0,5}=\s{0,5}["']?\s{0,5}https?:`,
    String.raw`\bhref\s{0,5}=\s{0,5}["']?\s{0,5}(?!#|https?:|mailto:|tel:|data:(?!image/svg|text))[^\s"'>]`,
    String.raw`\b(?:src|background)\s{0,5}=\s{0,5}["']?\s{0,5}(?!https?:|data:image/)[^\s"'>]`,
    String.raw`\bsrcset\s{0,5}=|https?://[^/"'\s)@<>]{1,200}@`,
    String.raw`\burl\(\s{0,9}["']?(?!\s|https?:|data:|#|["')])|@import\s{0,9}["']|image-set\(`,
    String.raw`\bdata:image/[^,"'>\s]{0,100}["'>\s]`,
    // Base64 is checked together with the image pixels.
    String.raw`\bdata:(?:image|font|application)/[^,"')\s]{0,100}(?<!;base64),`,
  ].join('|'),
  'i',
);

/** Whether HTML may contain anything that `unshownContent` finds, except for embedded base64 files. */
export function maySuspect(html: string): boolean {
  return html.length <= MAX_SCANNED && SUSPECT.test(html);
}

/**
 * Returns warnings about elements, resources and embedded files in merged HTML that browsers do not show. Parses as
 * browsers do, without the tree. Resources that the browser requests are not included: the response decides.
 */
export function unshownContent(html: string, options: UnshownOptions): FoundWarning[] {
  if (html.length > MAX_SCANNED) return [];
  const scan = new Scan(html, options);
  try {
    scan.run();
  } catch {
    // The search has ended, or the parser cannot read the HTML. A warning must not fail a document.
  }
  return scan.warnings.map((warning) =>
    options.part === undefined ? warning : { ...warning, part: options.part },
  );
}

/** Tokens have locations; nodes do not need them. */
const WITHOUT_NODES: typeof WITHOUT_CHILDREN = {
  ...WITHOUT_CHILDREN,
  getNodeSourceCodeLocation: () => null,
  setNodeSourceCodeLocation: () => undefined,
  updateNodeSourceCodeLocation: () => undefined,
};

/** Where to find the subject of a warning in the template, best first: an offset in the HTML, or text. */
type Place = Token.Location | string | null | undefined;

class ScanEnd extends Error {}

class Scan {
  readonly warnings: FoundWarning[] = [];
  readonly #html: string;
  readonly #options: UnshownOptions;
  readonly #parser: Parser<DefaultTreeAdapterMap>;
  #hasBase = false;
  /** Start of the open style element's text. */
  #style: number | undefined;

  constructor(html: string, options: UnshownOptions) {
    this.#html = html;
    this.#options = options;
    this.#parser = new Parser<DefaultTreeAdapterMap>({
      treeAdapter: WITHOUT_NODES,
      sourceCodeLocationInfo: true,
      scriptingEnabled: options.scripts,
    });
  }

  run(): void {
    const parser = this.#parser;
    const end = process.threadCpuUsage().user + MAX_CPU;
    const onStartTag = parser.onStartTag.bind(parser);
    parser.onStartTag = (token) => {
      if (parser.openElements.depth > MAX_DEPTH || process.threadCpuUsage().user > end) throw new ScanEnd();
      if (parser.openElements.tmplCount === 0) this.#element(token);
      onStartTag(token);
    };
    const onEndTag = parser.onEndTag.bind(parser);
    parser.onEndTag = (token) => {
      if (token.tagName === 'style') this.#styleSheet(token.location?.startOffset);
      onEndTag(token);
    };
    parser.tokenizer.write(this.#html, true);
  }

  #element({ tagName: name, attrs, location }: Token.TagToken): void {
    const attributes = new Map(attrs.map((each) => [each.name, each.value]));
    if (name === 'base') this.#hasBase ||= /^\s*https?:/i.test(attributes.get('href') ?? '');
    if (name === 'style') this.#style = isPrinted(attributes) ? location?.endOffset : undefined;
    const message = unsupported(name, attributes, this.#options);
    if (message !== undefined)
      this.#add({ code: 'element_unsupported', message, name }, location, `<${name}`);
    this.#script(scriptAttribute(attributes, this.#options), location);
    this.#attributes(attributeUrls(name, attributes), location);
    this.#css(attributes.get('style') ?? '', location);
  }

  #script(attribute: string | undefined, location: Token.LocationWithAttributes | null): void {
    if (attribute === undefined) return;
    const message = `Scripts do not run in documents, so ${attribute} has no effect.`;
    this.#add({ code: 'element_unsupported', message, name: 'script' }, location?.attrs?.[attribute]);
  }

  #attributes(urls: readonly NamedUrl[], location: Token.LocationWithAttributes | null): void {
    for (const named of urls) this.#url(named, location?.attrs?.[named.attribute]);
  }

  #styleSheet(end: number | undefined): void {
    if (this.#style !== undefined) this.#css(this.#html.slice(this.#style, end));
    this.#style = undefined;
  }

  /** If character references in an attribute hide the text of a URL, the attribute itself is located. */
  #css(css: string, element: Token.LocationWithAttributes | null = null): void {
    const attribute = element?.attrs?.['style'];
    for (const { url, text, noun, isBad } of cssUrls(css)) {
      if (isBad && /^data:/i.test(url)) this.#broken(url, noun, 'its URL needs quotes', text, attribute);
      else this.#url({ url, noun }, text, attribute);
    }
  }

  #url(
    { url, noun, isElsewhere }: Pick<NamedUrl, 'url' | 'noun' | 'isElsewhere'>,
    ...places: readonly Place[]
  ): void {
    const trimmed = url.trim();
    if (/^data:/i.test(trimmed)) {
      const problem = noun === 'image' || noun === 'font' ? embeddedProblem(trimmed, noun) : undefined;
      if (problem !== undefined) this.#broken(trimmed, noun, problem, ...places);
      return;
    }
    const reason = reasonOf(trimmed, isElsewhere === true);
    if (reason === undefined || (reason === RELATIVE && this.#hasBase)) return;
    const message = `The ${noun} was not loaded: ${reason}`;
    this.#add({ code: 'resource_blocked', message, name: shownUrl(trimmed) }, ...places);
  }

  #broken(uri: string, noun: string, problem: string, ...places: readonly Place[]): void {
    const message = `The embedded ${noun} is not shown: ${problem}.`;
    const comma = uri.indexOf(',');
    const name = uri.slice(0, comma === -1 ? 40 : comma);
    this.#add({ code: 'resource_broken', message, name }, ...places);
  }

  #add(warning: FoundWarning, ...places: readonly Place[]): void {
    const literals = places.flatMap((place) => {
      if (!place) return [];
      const text = typeof place === 'string' ? place : this.#html.slice(place.startOffset, place.endOffset);
      return [text.slice(0, MAX_LITERAL)];
    });
    this.warnings.push({ ...warning, ...(literals.length > 0 && { literal: literals }) });
    if (this.warnings.length >= MAX_FOUND_WARNINGS) throw new ScanEnd();
  }
}

function isPrinted(attributes: ReadonlyMap<string, string>): boolean {
  const type = attributes.get('type') ?? '';
  const media = attributes.get('media') ?? '';
  return /^(?:text\/css)?$/i.test(type) && !isScreenOnly(media);
}

const RELATIVE =
  'its URL is relative, and a document has no base URL. Embed the resource, or use an absolute URL on an allowed host.';

/** Reason that the browser does not request a URL; undefined if it requests the URL or needs no request. */
function reasonOf(url: string, isElsewhere: boolean): string | undefined {
  if (url === '' || url.startsWith('#')) return undefined;
  const parsed = URL.parse(url);
  if (parsed === null) return RELATIVE;
  if (!/^https?:$/.test(parsed.protocol))
    return `URLs with ${parsed.protocol} are not loaded. Embed the resource.`;
  if (parsed.username !== '' || parsed.password !== '') return 'its URL has a user name or a password.';
  return isElsewhere ? 'the element shows only parts of the same document.' : undefined;
}
