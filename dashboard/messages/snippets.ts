/** Code that calls the API. */
export const snippets = {
  needs: {
    curl: 'Requires curl.',
    typescript: 'Requires Node 24 and the package @trifold/client (its README explains how to install it).',
    python: 'Requires Python 3 and no packages.',
  },
  run: 'Save the code in the file that its first line names, and run it:',
  languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  languageOf: (step: string) => `Language: ${step}`,
  codeOf: (step: string, language: string) => `${step}, ${language}`,
};
