/** Valid resource name: a DNS subdomain (RFC 1123), as the API server requires. */
const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME_LENGTH = 253;

/** Whether a resource can have that name; otherwise no lookup is needed. */
export function isResourceName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && RESOURCE_NAME.test(text);
}
