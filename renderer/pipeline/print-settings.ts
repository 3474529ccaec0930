import type { RenderOptions, ResolvedRenderOptions } from '@trifold/crds';
import {
  findPageProblem,
  pageGeometry,
  type PageGeometry,
} from '@trifold/platform/templates/page-geometry.ts';
import type { PrintSettings } from '../browser/document-page.ts';
import { TaskError } from './task-error.ts';

/** The page of a document. Throws TaskError `options_invalid` when nothing can be printed on it. */
export function pageOf(options: ResolvedRenderOptions): PageGeometry {
  const page = pageGeometry(options);
  const problem = findPageProblem(page);
  if (!problem) return page;
  const member = problem.kind === 'side' ? problem.axis : 'margins';
  throw new TaskError('options_invalid', `options.${member}: ${problem.message}`);
}

/** How Chromium is told. Header and footer lie between the margins and the content. */
export function printSettings(options: ResolvedRenderOptions, page: PageGeometry): PrintSettings {
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
    ...(options.tagged && { generateTaggedPDF: true }),
    ...(options.outline && { generateDocumentOutline: true }),
  };
}

/**
 * What of the options is stronger than a template's own `@page`, in css: the size when the request names any part of it,
 * the margins that the request names, and all of them on pages with a header or a footer. Undefined when nothing is.
 * The size is that of the paper (`auto`), which the settings say.
 */
export function pageRules(asked: RenderOptions, page: PageGeometry): string | undefined {
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
