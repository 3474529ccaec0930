import { _, Name, type Ajv } from 'ajv';

const KEYWORD = 'errorLimit';

/** ajv's names in the generated functions for the number of errors and their list. */
const ERRORS = new Name('errors');
const ERROR_LIST = new Name('vErrors');

/**
 * Adds the keyword `errorLimit`. When validation reaches the keyword after that many errors, it ends with the errors
 * found so far. In the schema of an array's items it bounds the errors that ajv collects with `allErrors`, which has no
 * limit of its own: a million invalid items are a million errors.
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

/** Returns the keyword, to be spread into a schema. */
export function errorLimit(most: number): Record<string, unknown> {
  return { [KEYWORD]: most };
}
