/** Builds the package in `dist/`, or in `--out DIR`. npm runs it before `npm pack`. Needs the built client. */
import { buildPackage } from '../build-package.ts';

await buildPackage(new URL('.', import.meta.url));
