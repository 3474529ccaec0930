import type { CodeListName } from '../code-lists/code-lists.ts';
import type { GroupId, InvoiceValue, TermId } from '../invoice.ts';

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

/** Paths from the group's element to the element of the term or group; see `xml/xml-path.ts`. */
export interface XmlPaths {
  readonly cii: string;
  readonly ubl: string;
}

/** The scheme identifier of a value, with the paths from the value's element. */
export interface TermScheme extends XmlPaths {
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
  /** A different CII path for some values. */
  readonly otherCii?: { readonly path: string; readonly isFor: (value: InvoiceValue) => boolean };
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

type TermOptions = Partial<Omit<Term, 'id' | 'name' | 'type' | 'cii' | 'ubl'>>;

/** Declares a term: its title and type (`['BT-1 invoice number', 'identifier']`), its paths, and any special options. */
export function term(
  [title, type]: readonly [title: `${TermId} ${string}`, type: TermType],
  cii: string,
  ubl: string,
  options: TermOptions = {},
): Term {
  const [id, name] = split<TermId>(title);
  return { id, name, type, cii, ubl, isRequired: false, isList: false, ...options };
}

type GroupOptions = Partial<Pick<Group, 'isRequired' | 'isList'>>;

/** Declares a group of terms and groups. */
export function group(
  title: `${GroupId} ${string}`,
  { cii, ubl }: XmlPaths,
  content: readonly (Term | Group)[],
  options: GroupOptions = {},
): Group {
  const [id, name] = split<GroupId>(title);
  const terms = content.filter((entry) => 'type' in entry);
  const groups = content.filter((entry) => 'groups' in entry);
  return { id, name, cii, ubl, terms, groups, isRequired: false, isList: false, ...options };
}

export const REQUIRED = { isRequired: true } as const;
export const LIST = { isList: true } as const;

function split<Id extends string>(title: string): [Id, string] {
  const space = title.indexOf(' ');
  return [title.slice(0, space) as Id, title.slice(space + 1)];
}
