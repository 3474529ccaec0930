/**
 * Builds the package in `dist/`, or in `--out DIR`, using the types that generate.ts writes. npm runs it after `npm ci`
 * and before `npm pack`.
 */
import { buildPackage } from '../build-package.ts';

await buildPackage(new URL('.', import.meta.url), async () => void (await import('./generate.ts')));
