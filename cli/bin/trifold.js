#!/usr/bin/env node
/** The `trifold` command. JavaScript, because an older Node cannot read TypeScript. */
import '../../platform/process/check-node.cjs';

await import('./trifold.ts');
