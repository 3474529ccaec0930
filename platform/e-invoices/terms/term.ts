import type { CodeListName } from '../code-lists/code-lists.ts';
import type { GroupId, TermId } from '../invoice.ts';

/** Type of a business term's value. */
export type TermType =
  | 'amount'
  | 'unit-price'
  | 'quantity'
  | 'percentage'
  | 'code'
  | 'identifier'
  | 'date'
  | 'text';

/** Paths from the element of the group to the element of the term or group; see `xml/xml-path.ts`. */
export interface XmlPaths {
  readonly cii: string;
  readonly ubl: string;
}

/** The scheme identifier of a value. */
export interface TermScheme {
  readonly codes?: CodeListName;
  readonly isRequired: boolean;
}

/** A business term of EN 16931-1:2017. */
export interface Term extends XmlPaths {
  readonly id: TermId;
  /** In lower case except for abbreviations: `VAT category code`. */
  readonly name: string;
  readonly type: TermType;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly codes?: CodeListName;
  /** Undefined: the value has no scheme. */
  readonly scheme?: TermScheme;
}

/** A group of business terms. */
export interface Group extends XmlPaths {
  readonly id: GroupId;
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly terms: readonly Term[];
  readonly groups: readonly Group[];
}
