/**
 * Replaces `@codemirror/lang-javascript` in the build (vite.config.ts). Template scripts do not run by default, so
 * highlighting them is not worth the 27 KB that the editor would have to load.
 */
import { NodeType, Parser, Tree, type PartialParse } from '@lezer/common';

type Ranges = Parameters<Parser['createParse']>[2];

/** Treats a script as plain text. */
class PlainText extends Parser {
  override createParse(_input: unknown, _fragments: unknown, ranges: Ranges): PartialParse {
    const from = ranges[0]?.from ?? 0;
    const to = ranges.at(-1)?.to ?? from;
    const advance = () => new Tree(NodeType.none, [], [], to - from);
    return { parsedPos: to, stoppedAt: null, stopAt: () => undefined, advance };
  }

  configure(): this {
    return this;
  }
}

const plainText = { parser: new PlainText() };
export const javascriptLanguage = plainText;
export const jsxLanguage = plainText;
export const tsxLanguage = plainText;
export const typescriptLanguage = plainText;
export const javascript = () => ({ support: [] });
