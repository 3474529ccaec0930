import { resolveRenderOptions, type RenderOptions, type ResolvedRenderOptions } from '@trifold/crds';
import { contentsOf, DECORATION_KINDS, type Decorations } from '@trifold/platform/templating/decorations.ts';
import {
  findPageProblem,
  pageGeometry,
  type PageGeometry,
} from '@trifold/platform/templating/page-geometry.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import type { PrintSettings } from '../browser/page/document-page.ts';
import { isTagged } from '../pdf/standards/level.ts';
import type { MergeExtras } from '../merge/template-merger.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

export interface Printing {
  readonly options: ResolvedRenderOptions;
  readonly settings: PrintSettings;
  readonly geometry: PageGeometry;
  /** Input that the options add to the merge. */
  readonly extras: MergeExtras | undefined;
}

/** Merges a document's own options over the template's. Throws DocumentError `options_invalid`. */
export function printingOf(asked: RenderOptions, defaults?: RenderOptions): Printing {
  const options = resolveRenderOptions(asked, defaults);
  const { locale, timeZone }: RenderOptions = { ...defaults, ...asked };
  const unknown = findLocaleProblem({ locale, timeZone });
  if (unknown) throw new DocumentError('options_invalid', `options.${unknown.member} ${unknown.message}`);
  const geometry = pageOf(options);
  const extras = {
    pageRules: pageRules(asked, geometry),
    rules: firstPageRule(geometry),
    ...decorationsOf(options),
    // If these are undefined, helpers use their own defaults.
    locale,
    timeZone,
    properties: Object.keys(options.properties).length > 0 ? options.properties : undefined,
  };
  const isPlain = Object.values(extras).every((value) => value === undefined);
  return {
    options,
    settings: printSettings(options, geometry),
    geometry,
    extras: isPlain ? undefined : extras,
  };
}

/** Only a page with its own content can hide the common one, so an empty common one is omitted. */
function decorationsOf(options: ResolvedRenderOptions): Decorations {
  const enabled = DECORATION_KINDS.filter((kind) => options[kind].enabled);
  const contents = enabled.map((kind) => {
    const { [kind]: common, ...own } = contentsOf(kind, options);
    return { ...(common !== '' && { [kind]: common }), ...own };
  });
  return Object.assign({}, ...contents) as Decorations;
}

/**
 * Returns the page geometry of a document. Throws DocumentError `options_invalid` when the page has no printable area.
 */
function pageOf(options: ResolvedRenderOptions): PageGeometry {
  const page = pageGeometry(options);
  const problem = findPageProblem(page);
  if (!problem) return page;
  const member = problem.kind === 'side' ? problem.axis : 'margins';
  throw new DocumentError('options_invalid', `options.${member}: ${problem.message}`);
}

/** Settings for Chromium. The header and footer are between the margins and the content. */
function printSettings(options: ResolvedRenderOptions, page: PageGeometry): PrintSettings {
  const { top, right, bottom, left } = contentMargins(page);
  return {
    paperWidth: page.width,
    paperHeight: page.height,
    marginTop: top,
    marginRight: right,
    marginBottom: bottom,
    marginLeft: left,
    printBackground: options.printBackground,
    ...(options.scale !== 1 && { scale: options.scale }),
    // Chromium derives the outline from tags.
    ...((options.tagged || options.outline || isTagged(options.conformance)) && {
      generateTaggedPDF: true,
    }),
    ...(options.outline && { generateDocumentOutline: true }),
  };
}

/**
 * Returns CSS for the options that override the template's own `@page`: the size if the request sets any part of it,
 * the margins that the request sets, and all margins on pages with a header or a footer. Undefined when there is
 * nothing to override. The size is the paper's (`auto`), which the settings contain.
 */
function pageRules(asked: RenderOptions, page: PageGeometry): string | undefined {
  const declarations: string[] = [];
  if (SIZE_MEMBERS.some((name) => asked[name] !== undefined)) declarations.push('size:auto!important');
  const margins = contentMargins(page);
  const { header, footer } = page.firstPage;
  const hasDecoration = Math.max(page.header, page.footer, header, footer) > 0;
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    if (hasDecoration || asked.margins?.[side] !== undefined) {
      declarations.push(`margin-${side}:${margins[side]}in!important`);
    }
  }
  if (declarations.length === 0) return undefined;
  const body = `{${declarations.join(';')}}`;
  // Rules for specific pages take precedence over the general rule.
  const rules = `@page${body}@page :first${body}@page :left${body}@page :right${body}@page :blank${body}`;
  return rules + (firstPageRule(page) ?? '');
}

/** Returns CSS for a first page whose header or footer has a different height, or undefined if neither does. */
function firstPageRule({ header, footer, firstPage, ...page }: PageGeometry): string | undefined {
  if (header === firstPage.header && footer === firstPage.footer) return undefined;
  const { top, bottom } = contentMargins({ ...page, ...firstPage });
  return `@page :first{margin-top:${top}in!important;margin-bottom:${bottom}in!important}`;
}

const SIZE_MEMBERS = ['pageSize', 'width', 'height', 'orientation'] as const;

function contentMargins({
  margins,
  header,
  footer,
}: Pick<PageGeometry, 'margins' | 'header' | 'footer'>): PageGeometry['margins'] {
  return { ...margins, top: margins.top + header, bottom: margins.bottom + footer };
}
