/**
 * Endings of the benchmark's templates, equal in length, so that the documents differ only in the search for warnings.
 */
export const SEARCHED = '<!-- search: yes -->';
export const UNSEARCHED = '<!-- search: no  -->';
