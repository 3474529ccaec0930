/** Schemes of links that a file keeps. Others can start programs, run scripts or access the reader's files. */
const ALLOWED = /^(?:https?|mailto|tel):/i;

/** Whether a file may contain a link, in any format. Relative links are not allowed: a file has no base URL. */
export function isAllowedLink(url: string): boolean {
  return ALLOWED.test(url);
}
