/** Returns the front matter of a generated page. `source`: what it is made from, as a path in the repository. */
export function frontMatter(source: string): string {
  return `---\n# Generated from ${source} by \`npm run generate\`.\ngenerated: true\n---`;
}
