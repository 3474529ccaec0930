/** Valid resource name: a DNS subdomain (RFC 1123), as the API server requires. */
const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

/** Whether a resource can have that name; otherwise no lookup is needed. */
export function isResourceName(text: string): boolean {
  return text.length <= LONGEST_NAME && RESOURCE_NAME.test(text);
}
