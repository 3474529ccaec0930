/** A number with its unit: `0.5in`, `12mm`, `40px`. */
export type Length = `${number}in` | `${number}mm` | `${number}px`;

/** Generation options (interface, "Generation options"). What is left out comes from the template, then the service. */
export interface GenerationOptions {
  /** `custom` needs width and height. @default 'letter' */
  page_size?: 'letter' | 'a4' | 'legal' | 'custom';
  width?: Length;
  height?: Length;
  /** @default 'portrait' */
  orientation?: 'portrait' | 'landscape';
  /** One length for all sides, or by side. @default '0.4in' */
  margins?: Length | { top?: Length; right?: Length; bottom?: Length; left?: Length };
  header?: PageEdge;
  footer?: PageEdge;
  /** @default true */
  print_background?: boolean;
  /** 0.1 to 2. @default 1 */
  scale?: number;
  /** Whether the PDF is tagged for assistive technology. @default false */
  tagged?: boolean;
  /** Whether the PDF has an outline of its headings. @default false */
  outline?: boolean;
  /** Of png: whether the picture shows all of the document, and not its first page only. @default true */
  full_page?: boolean;
  /** Of png: pixels for each CSS pixel, 1 to 3. @default 1 */
  device_scale?: number;
}

/** What stands above or below the content of every page. */
export interface PageEdge {
  /** @default false */
  enabled?: boolean;
  /** Inside the margins. @default '0.5in' */
  height?: Length;
  /** HTML with bindings; `{{page}}` and `{{pages}}` are the numbers of the page and of the last one. */
  content?: string;
}

/** Kinds of file that the service makes. */
export type DocumentFormat = 'pdf' | 'png' | 'html' | 'docx';
