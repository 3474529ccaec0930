import { storableWarnings, type DocumentWarning } from '@trifold/crds';
import { positionOf } from '@trifold/platform/templating/syntax/template-bounds.ts';
import type { EmailTemplate } from './compile-messages.ts';
import type { HtmlProblem } from './inbox/html-problems.ts';

/** Maximum length of a name in characters. */
const MAX_NAME = 200;

/** Returns an email's warnings: one per subject, at most 20. Warnings never contain data. */
export function emailWarnings(
  bindings: readonly DocumentWarning[],
  problems: readonly HtmlProblem[],
  source: EmailTemplate,
): DocumentWarning[] {
  const found = [...bindings, ...problems.map((problem) => placed(problem, source))];
  const bySubject = new Map(found.map((each) => [`${each.code} ${each.part} ${each.name}`, each]));
  return storableWarnings([...bySubject.values()].map(withShortName));
}

/**
 * Adds the subject's position in the template. A subject that is not in the template may be data, so the name omits it.
 */
function placed(
  { code, message, name, kind, literals }: HtmlProblem,
  source: EmailTemplate,
): DocumentWarning {
  for (const part of ['html', 'css'] as const) {
    const text = source[part] ?? '';
    const index = literals
      .map((literal) => (literal === '' ? -1 : text.indexOf(literal)))
      .find((at) => at >= 0);
    if (index === undefined) continue;
    const isInTemplate = name !== '' && text.includes(name);
    return { code, message, name: isInTemplate ? name : kind, part, ...positionOf(text, index) };
  }
  return { code, message, name: kind, part: 'html' };
}

function withShortName({ name, ...warning }: DocumentWarning): DocumentWarning {
  return { ...warning, name: name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name };
}
