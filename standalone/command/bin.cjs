#!/usr/bin/env node
/** The `trifold` command. CommonJS, so an old Node can load it and the check can name the version that it needs. */
require('../../platform/process/check-node.cjs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

// Not in the temporary directory, where other users could plant code that this user would run.
const { HOME = '', XDG_CACHE_HOME = path.join(HOME, '.cache') } = process.env;
if (path.isAbsolute(XDG_CACHE_HOME)) enableCompileCache(path.join(XDG_CACHE_HOME, 'trifold', 'compiled'));
void import('./main.ts');
