/**
 * Ends the process with a sentence if this Node cannot run Trifold. CommonJS, because any Node can preload it
 * (`node --require`) before a module that it cannot read.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || major === 23 || (major === 22 && minor < 19)) {
  process.stderr.write(
    'trifold: this is Node ' +
      process.versions.node +
      ', but Trifold needs Node 24 or later, or Node 22 from 22.19 on. Install Node 24. ' +
      'In a clone of the repository, npm ci --ignore-scripts=false does so.\n',
  );
  process.exit(1);
}
