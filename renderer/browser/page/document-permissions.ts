/** What a document may do beyond showing its own content. */
export interface DocumentPermissions {
  /** Whether its scripts run. */
  readonly scripts: boolean;
  /** Source of its images, styles and fonts; none are loaded when left out. */
  readonly resources?: ResourceSource;
}

/** Default, unless the deployment configures otherwise. */
export const NOTHING_ALLOWED: DocumentPermissions = { scripts: false };

/** Source of external resources for documents. */
export interface ResourceSource {
  /** Opens the source for one document, with limits of its own. The signal aborts all in-flight requests. */
  open(signal: AbortSignal): DocumentResources;
}

/** Resources available to one document. */
export interface DocumentResources {
  /** Resolves with the resource, or the reason why there is none. Never rejects. */
  get(url: string): Promise<Resource | Blocked>;
}

/** `not_allowed`: by the permissions. `failed`: the request failed, took too long or exceeded a limit. */
export type Blocked = 'not_allowed' | 'failed';

/** A resource that a document shows. */
export interface Resource {
  readonly contentType: string;
  readonly body: Buffer;
}
