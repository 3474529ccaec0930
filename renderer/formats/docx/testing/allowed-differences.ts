/** A difference between our PDF and the DOCX that stays, and why. */
interface AllowedDifference {
  readonly document: string;
  /** As `differences` words it. */
  readonly difference: string;
  readonly reason: string;
}

export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [];
