#!/usr/bin/env node
/** The `trifold` command. CommonJS: an old Node can read it, and learns from the check what it lacks. */
require('../../platform/process/check-node.cjs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

// Not in the temporary directory, where other users of the machine can put code for this one.
const { HOME = '', XDG_CACHE_HOME = path.join(HOME, '.cache') } = process.env;
if (path.isAbsolute(XDG_CACHE_HOME)) enableCompileCache(path.join(XDG_CACHE_HOME, 'trifold', 'compiled'));
void import('./main.ts');
