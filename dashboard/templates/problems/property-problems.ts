import { cssLanguage } from '@codemirror/lang-css';
import { problems as messages } from '../../messages/problems.ts';
import { nearestName } from './nearest.ts';
import type { TextProblem } from './tag-problems.ts';

/** Longer style sheets are not checked: it would block typing. */
const MAX_CSS_LENGTH = 300_000;

/**
 * Finds unknown properties that differ in one or two letters from a known one. Others may be specific to another
 * browser or email client. `known`: the property names of this browser.
 */
export function findPropertyProblems(css: string, known: ReadonlySet<string>): TextProblem[] {
  if (css.length > MAX_CSS_LENGTH) return [];
  const found: TextProblem[] = [];
  cssLanguage.parser.parse(css).iterate({
    enter: ({ name: type, from, to, node }) => {
      // At-rules such as @font-face have descriptors instead of properties.
      if (type !== 'PropertyName' || node.parent?.parent?.parent?.name !== 'RuleSet') return;
      const name = css.slice(from, to).toLowerCase();
      if (name.startsWith('-') || known.has(name)) return;
      const suggestion = nearestName(name, known);
      if (suggestion !== undefined) {
        found.push({ name, from, to, suggestion, message: messages.unknownProperty(name, suggestion) });
      }
    },
  });
  return found;
}
