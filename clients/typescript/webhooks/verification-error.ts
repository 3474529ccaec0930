/** Why a delivery is not trusted. */
export type VerificationFailure =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'
  | 'malformed_payload';

/** A delivery that is not to be acted on: answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
