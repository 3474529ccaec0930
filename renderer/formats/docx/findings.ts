import { MAX_LITERAL } from '@trifold/crds/limits.ts';
import type { FoundWarning } from '../../browser/page/document-requests.ts';
import type { LaidOut } from './snapshot-tree.ts';
import { DRAWING_ATTRIBUTE } from '../../browser/page/page-snapshot.ts';

const MAX_NAME = 256;

/** Differences between the file and a part of the document; each difference is listed once. */
export class Findings {
  readonly #found = new Map<string, FoundWarning>();

  get warnings(): FoundWarning[] {
    return [...this.#found.values()];
  }

  /** `consequence` is a sentence. Without a node, `what` may begin with an at-rule that is in the template. */
  unsupported(what: string, consequence: string, node?: LaidOut): void {
    if (this.#found.has(what)) return;
    const where = node ? ` (${selectorOf(node)})` : '';
    const message = `Word files do not support ${what}${where}. ${consequence}`;
    const literal = node ? startTagOf(node) : /^@page/.exec(what)?.[0];
    this.#found.set(what, {
      code: 'docx_unsupported',
      message,
      name: what,
      ...(literal !== undefined && { literal }),
    });
  }

  /** `room` is in CSS pixels. */
  tooWide(node: LaidOut, room: number): void {
    if (this.#found.has('width')) return;
    const name = selectorOf(node);
    const message = `${name} is ${Math.ceil(node.box.width)} px wide, but the page has room for ${Math.floor(room)} px. It was made narrower.`;
    const literal = startTagOf(node);
    this.#found.set('width', {
      code: 'content_too_wide',
      message,
      name,
      ...(literal !== undefined && { literal }),
    });
  }
}

function selectorOf({ name, attributes }: LaidOut): string {
  const { id, class: classes = '' } = attributes;
  const names = [name, ...(id ? [`#${id}`] : []), ...(classes.match(/\S+/g) ?? []).map((each) => `.${each}`)];
  return names.join('').slice(0, MAX_NAME);
}

/** Returns the start tag as browsers serialize it. */
function startTagOf({ name, attributes }: LaidOut): string | undefined {
  if (!/^[a-z]/.test(name)) return undefined;
  const given = Object.entries(attributes).filter(([attribute]) => attribute !== DRAWING_ATTRIBUTE);
  if (given.some(([, value]) => value.length > MAX_LITERAL)) return undefined;
  const written = given.map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('');
  return written.length > MAX_LITERAL ? undefined : `<${name}${written}>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
