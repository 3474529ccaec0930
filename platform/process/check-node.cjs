/**
 * Ends the process with a sentence if this Node cannot run Trifold. CommonJS, because any Node can preload it
 * (`node --require`) before a TypeScript file.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(
    'trifold: this is Node ' +
      process.versions.node +
      ', but Trifold needs 24.9 or later. To install it in this folder, run npm ci --ignore-scripts=false. ' +
      'Or install Node 24 yourself.\n',
  );
  process.exit(1);
}
