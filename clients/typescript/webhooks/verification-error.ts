/** Reason why a delivery is rejected. */
export type VerificationFailure =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'
  | 'malformed_payload';

/** A delivery that must not be processed: respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
