/** The part of html-to-text that plain-text.ts uses. The package ships no types. */
declare module 'html-to-text' {
  export interface HtmlNode {
    readonly parent: HtmlNode | null;
    readonly prev: HtmlNode | null;
    /** Set for elements, like the properties below. */
    readonly name?: string;
    readonly attribs?: Readonly<Record<string, string | undefined>>;
    readonly children?: readonly HtmlNode[];
  }

  export interface TableCell {
    readonly text: string;
  }

  export interface TextBuilder {
    readonly options: { readonly formatters: Readonly<Record<string, Formatter | undefined>> };
    addInline(text: string, options?: { readonly noWordTransform?: boolean }): void;
    pushWordTransform(transform: (word: string) => string): void;
    popWordTransform(): void;
    openTable(): void;
    openTableRow(): void;
    openTableCell(): void;
    closeTableCell(): void;
    closeTableRow(): void;
    closeTable(options: {
      readonly tableToString: (rows: readonly (readonly TableCell[])[]) => string;
    }): void;
  }

  export type Walk = (nodes: readonly HtmlNode[], builder: TextBuilder) => void;
  export type Formatter = (element: HtmlNode, walk: Walk, builder: TextBuilder, options: object) => void;

  export interface Options {
    readonly wordwrap: number | false;
    readonly whitespaceCharacters: string;
    readonly limits: { readonly maxInputLength: undefined };
    readonly formatters: Readonly<Record<string, Formatter>>;
    readonly selectors: readonly {
      readonly selector: string;
      readonly format?: string;
      readonly options?: Readonly<Record<string, unknown>>;
    }[];
  }

  export function compile(options: Options): (html: string) => string;
}
