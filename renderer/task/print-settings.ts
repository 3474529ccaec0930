import { resolveRenderOptions, type RenderOptions, type ResolvedRenderOptions } from '@trifold/crds';
import {
  findPageProblem,
  pageGeometry,
  type PageGeometry,
} from '@trifold/platform/templating/page-geometry.ts';
import type { PrintSettings } from '../browser/page/document-page.ts';
import type { MergeExtras } from '../merge/merge-messages.ts';
import { TaskError } from './task-error.ts';

/** What the options of a document come to. */
export interface Printing {
  readonly options: ResolvedRenderOptions;
  readonly settings: PrintSettings;
  readonly geometry: PageGeometry;
  /** What they ask of the merge. */
  readonly extras: MergeExtras | undefined;
}

/** How a document is printed with its own options over the template's. Throws TaskError `options_invalid`. */
export function printingOf(asked: RenderOptions, defaults?: RenderOptions): Printing {
  const options = resolveRenderOptions(asked, defaults);
  const geometry = pageOf(options);
  const extras = {
    pageRules: pageRules(asked, geometry),
    header: contentOf(options.header),
    footer: contentOf(options.footer),
  };
  const isPlain = Object.values(extras).every((value) => value === undefined);
  return {
    options,
    settings: printSettings(options, geometry),
    geometry,
    extras: isPlain ? undefined : extras,
  };
}

function contentOf({ enabled, content }: ResolvedRenderOptions['header']): string | undefined {
  return enabled && content !== '' ? content : undefined;
}

/** The page of a document. Throws TaskError `options_invalid` when nothing can be printed on it. */
function pageOf(options: ResolvedRenderOptions): PageGeometry {
  const page = pageGeometry(options);
  const problem = findPageProblem(page);
  if (!problem) return page;
  const member = problem.kind === 'side' ? problem.axis : 'margins';
  throw new TaskError('options_invalid', `options.${member}: ${problem.message}`);
}

/** How Chromium is told. Header and footer lie between the margins and the content. */
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
    // Chromium makes an outline from tags.
    ...((options.tagged || options.outline) && { generateTaggedPDF: true }),
    ...(options.outline && { generateDocumentOutline: true }),
  };
}

/**
 * What of the options is stronger than a template's own `@page`, in css: the size when the request names any part of it,
 * the margins that the request names, and all of them on pages with a header or a footer. Undefined when nothing is.
 * The size is that of the paper (`auto`), which the settings say.
 */
function pageRules(asked: RenderOptions, page: PageGeometry): string | undefined {
  const declarations: string[] = [];
  if (SIZE_MEMBERS.some((name) => asked[name] !== undefined)) declarations.push('size:auto!important');
  const margins = contentMargins(page);
  const hasBands = page.header > 0 || page.footer > 0;
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    if (hasBands || asked.margins?.[side] !== undefined) {
      declarations.push(`margin-${side}:${margins[side]}in!important`);
    }
  }
  if (declarations.length === 0) return undefined;
  const body = `{${declarations.join(';')}}`;
  // Rules for certain pages are stronger than one for all.
  return `@page${body}@page :first${body}@page :left${body}@page :right${body}@page :blank${body}`;
}

const SIZE_MEMBERS = ['pageSize', 'width', 'height', 'orientation'] as const;

function contentMargins({ margins, header, footer }: PageGeometry): PageGeometry['margins'] {
  return { ...margins, top: margins.top + header, bottom: margins.bottom + footer };
}
