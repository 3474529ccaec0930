/** An error code of a failed webhook attempt or delivery. */
export interface DeliveryErrorDescription {
  /** What is wrong. Markdown. */
  readonly cause: string;
  /** What to do. Markdown. */
  readonly remedy: string;
  /** Set for a code that ends the delivery; Trifold retries after any other. */
  readonly isFinal?: true;
}

/**
 * Every error code of webhook attempts and deliveries; docs/errors.md is generated from it. Append, never rename or
 * reuse.
 */
export const DELIVERY_ERROR_CODES = {
  url_invalid: {
    cause: 'The URL is invalid or too long, or contains a user name, password or fragment.',
    remedy: 'Set a valid URL.',
  },
  http_not_allowed: {
    cause: 'The URL is plain HTTP.',
    remedy: 'Use HTTPS, or ask an operator to set `TRIFOLD_WEBHOOK_ALLOW_HTTP`.',
  },
  address_forbidden: {
    cause: 'The host has no address that the service may reach.',
    remedy: 'Use a public address, or ask an operator to add it to `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES`.',
  },
  dns_failed: {
    cause: 'The host name cannot be resolved.',
    remedy: 'Correct the URL or the DNS records.',
  },
  connection_refused: {
    cause: 'The endpoint refused the connection.',
    remedy: 'Start the receiver, and check its port.',
  },
  connection_reset: {
    cause: 'The endpoint closed the connection without a response.',
    remedy: 'Check the receiver and the proxies in front of it.',
  },
  connection_failed: {
    cause: 'The endpoint, or the proxy on the way to it, could not be reached.',
    remedy:
      'Check the network and the firewalls between the service and the endpoint, and the [proxy](run/proxies.md).',
  },
  tls_failed: {
    cause: 'TLS failed; the message contains the reason.',
    remedy: 'Use a certificate that is valid for the host, with its intermediate certificates.',
  },
  timeout: {
    cause: 'The endpoint did not respond within the time limit.',
    remedy: 'Respond first, then do any long-running work.',
  },
  answer_invalid: {
    cause: 'The response is not valid HTTP, or its headers are larger than 16 KiB.',
    remedy:
      'Check that the port belongs to an HTTP server, and that it does not send large cookies or other headers.',
  },
  redirected: {
    cause: 'The endpoint responded with a redirect, which Trifold does not follow.',
    remedy: 'Set the URL to the redirect target.',
  },
  http_error: {
    cause: 'The endpoint responded with a status other than 2xx or 3xx.',
    remedy: "Read the receiver's log.",
  },
  endpoint_deleted: {
    cause: 'The endpoint was deleted before the event was delivered.',
    remedy: 'No action is needed. The delivery cannot be retried.',
    isFinal: true,
  },
  superseded: {
    cause: 'A later event for the batch replaced this one.',
    remedy: 'No action is needed. The delivery cannot be retried.',
    isFinal: true,
  },
} as const satisfies Record<string, DeliveryErrorDescription>;

export type DeliveryErrorCode = keyof typeof DELIVERY_ERROR_CODES;

/** A code for a delivery that ends without an attempt. */
export type FinalDeliveryErrorCode = {
  [Code in DeliveryErrorCode]: (typeof DELIVERY_ERROR_CODES)[Code] extends { isFinal: true } ? Code : never;
}[DeliveryErrorCode];
