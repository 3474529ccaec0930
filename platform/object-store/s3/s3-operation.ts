/** Operation of a request, used to explain a failure. */
export interface S3Operation {
  /** The permission that the request requires, such as `s3:PutObject on the objects`. */
  readonly permission: string;
  /** Whether the request may succeed only if the object does not exist. */
  readonly isConditional: boolean;
  /** The configured region; undefined for a presigned request. */
  readonly region?: string | undefined;
}

export interface OperationRequest {
  readonly method: string;
  /** Undefined for a request for the bucket. */
  readonly object?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const OF_OBJECTS: Readonly<Record<string, string>> = { PUT: 'PutObject', DELETE: 'DeleteObject' };

/** Describes a request. */
export function operationOf(request: OperationRequest, region?: string): S3Operation {
  const isConditional = request.headers?.['if-none-match'] !== undefined;
  return { permission: permissionFor(request), isConditional, region };
}

function permissionFor({ method, object, query = {} }: OperationRequest): string {
  if (object !== undefined) return `s3:${OF_OBJECTS[method] ?? 'GetObject'} on the objects`;
  if ('delete' in query) return 's3:DeleteObject on the objects';
  if ('lifecycle' in query) {
    return `s3:${method === 'PUT' ? 'Put' : 'Get'}LifecycleConfiguration on the bucket`;
  }
  if (method !== 'PUT') return 's3:ListBucket on the bucket';
  return 's3:CreateBucket; or create the bucket yourself';
}
