/** A name that a resource of ours can have: a DNS subdomain (RFC 1123), as the API server demands. */
const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

/** Whether a resource can have that name; anything else need not be asked for. */
export function isResourceName(text: string): boolean {
  return text.length <= LONGEST_NAME && RESOURCE_NAME.test(text);
}
