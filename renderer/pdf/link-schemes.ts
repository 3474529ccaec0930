/** Schemes of links that a file keeps. Others can start programs, run script or reach the reader's files. */
const ALLOWED = /^(?:https?|mailto|tel):/i;

/** Whether a link may be in a file, whatever its format. Relative links may not: a file has no address. */
export function isAllowedLink(url: string): boolean {
  return ALLOWED.test(url);
}
