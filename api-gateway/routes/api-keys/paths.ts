/** Where keys are managed: the interface names both in different places, and they are the same. */
export const KEY_PATHS = ['/v1/api-keys', '/v1/keys'] as const;
