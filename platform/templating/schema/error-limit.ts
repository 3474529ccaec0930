import { _, Name, type Ajv } from 'ajv';

const KEYWORD = 'errorLimit';

/** What ajv calls them in the functions it makes: the number of errors and their list. */
const ERRORS = new Name('errors');
const ERROR_LIST = new Name('vErrors');

/**
 * Adds the keyword `errorLimit`. Validation ends, with the errors found so far, where it meets the keyword after so many
 * of them. Put into the schema of an array's items, it bounds what ajv collects with `allErrors`, which has no limit of
 * its own: a million wrong items are a million errors.
 */
export function addErrorLimit(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: KEYWORD,
    schemaType: 'number',
    code({ gen, it, schema }) {
      gen.if(_`${ERRORS} >= ${schema}`, () =>
        gen.assign(_`${it.validateName}.errors`, ERROR_LIST).return(false),
      );
    },
  });
}

/** The keyword, to be spread into a schema. */
export function errorLimit(most: number): Record<string, unknown> {
  return { [KEYWORD]: most };
}
