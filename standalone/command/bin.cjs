#!/usr/bin/env node
/** The `trifold` command. CommonJS: an old Node can read it, and learns from the check what it lacks. */
require('../../platform/process/check-node.cjs');
void import('./main.ts');
