import GENERATED from '../../generated/helpers.json' with { type: 'json' };

/** A template helper, from platform/templating/helpers/helper-signatures.ts and the docs. */
export interface Helper {
  readonly name: string;
  readonly summary: string;
  /** Minimum and maximum number of positional arguments. */
  readonly least: number;
  readonly most: number;
  /** Positional arguments in order, with what the helper expects. The last one also describes any further ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Named arguments, with what the helper expects. */
  readonly named: Readonly<Record<string, string>>;
  /** Whether it may open a block. */
  readonly block: boolean;
  /** Whether it can only open a block. */
  readonly onlyBlock: boolean;
  readonly example: string;
  /** The example's output with the sample data from the docs. */
  readonly shows?: string;
}

export const HELPERS = GENERATED as unknown as readonly Helper[];

const BY_NAME: ReadonlyMap<string, Helper> = new Map(HELPERS.map((helper) => [helper.name, helper]));

export function findHelper(name: string): Helper | undefined {
  return BY_NAME.get(name);
}

/** Returns the arguments for display: `amount currency decimals= locale=`. */
export function argumentsText({ least, most, parameters, named }: Helper): string {
  const names = Object.keys(parameters);
  const positional = names.map((name, index) => (index < least ? name : `[${name}]`));
  const further = most > names.length ? ['…'] : [];
  return [...positional, ...further, ...Object.keys(named).map((name) => `${name}=`)].join(' ');
}
