/** A tag that the mail provider replaces, such as `%unsubscribe_url%` or `*|UNSUB|*`. */
const MERGE_TAG =
  /^\s*(?:%[^%\s]+%|%%[^%]+%%|\*\|[^|]+\|\*|\{[^}]+\}|\$?\[[^\]]+\]|<%[^%]+%>|[$#]\{[^}]+\}|-[\w.]+-$|~[^~]+~)/;

/** Whether an address begins with a tag that the mail provider replaces, so that it cannot be checked. */
export function isMergeTag(address: string): boolean {
  return MERGE_TAG.test(address);
}
