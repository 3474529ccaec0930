import type { Settings } from './setting.ts';
import { bucketName, regionName, storeCredential, storeEndpoint } from './setting-forms.ts';

/** Object store settings. */
export const OBJECT_STORE = {
  TRIFOLD_S3_ENDPOINT: {
    type: storeEndpoint,
    common: true,
    required: 'the URL of the object store, such as http://minio:9000',
    doc: '`http://` or `https://` with a host and an optional port. For `https://`, `NODE_EXTRA_CA_CERTS` names additional certificate authorities to trust.',
    computedFrom: 'objectStore.external.endpoint',
  },
  TRIFOLD_S3_BUCKET: {
    type: bucketName,
    common: true,
    default: 'trifold',
    doc: 'Bucket name. The gateway and the controller create the bucket if it is missing and the credentials allow it, both at startup and later.',
    chart: { value: 'objectStore.bucket' },
  },
  TRIFOLD_S3_REGION: {
    type: regionName,
    default: 'us-east-1',
    doc: 'Region of the bucket.',
    chart: { value: 'objectStore.region' },
  },
  TRIFOLD_S3_ACCESS_KEY: {
    type: storeCredential,
    common: true,
    doc: 'Access key, used with the secret key. Without keys, the credentials come from the [workload identity](run/object-store.md#workload-identity) of the process. They require s3:ListBucket, GetObject, PutObject, DeleteObject.',
    computedFrom: 'objectStore.external.existingSecret',
  },
  TRIFOLD_S3_SECRET_KEY: {
    type: storeCredential,
    common: true,
    doc: 'The secret key; never printed.',
    computedFrom: 'objectStore.external.existingSecret',
  },
} as const satisfies Settings;
