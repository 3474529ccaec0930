/** Returns the front matter of a generated page. `source` is the repository path of the page's source. */
export function frontMatter(source: string): string {
  return `---\n# Generated from ${source} by \`npm run generate\`.\ngenerated: true\n---`;
}
