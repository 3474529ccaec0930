/** What a document may do beyond showing what is in it. */
export interface DocumentPermissions {
  /** Whether its scripts run. */
  readonly scripts: boolean;
  /** Where it may get images, styles and fonts from; from nowhere when left out. */
  readonly resources?: ResourceSource;
}

/** What holds unless the deployment says otherwise. */
export const NOTHING_ALLOWED: DocumentPermissions = { scripts: false };

/** A place that documents get things from. */
export interface ResourceSource {
  /** For one document: what it may take is bounded. Everything under way ends with the signal. */
  open(signal: AbortSignal): DocumentResources;
}

/** What one document gets. */
export interface DocumentResources {
  /** Undefined for what is refused, or not to be had. Never rejects. */
  get(url: string): Promise<Resource | undefined>;
}

/** Something that a document shows. */
export interface Resource {
  readonly contentType: string;
  readonly body: Buffer;
}
