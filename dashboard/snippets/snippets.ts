/** Languages for code that calls the API. */
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reads a key without showing it or writing it to the shell history. */
export const EXPORT_KEY = 'read -rs TRIFOLD_KEY && export TRIFOLD_KEY';

/** A request for a PDF. */
export interface PdfCall {
  /** Address of the service. */
  readonly url: string;
  /** Body of the request. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Name of the code and PDF files, without an extension. */
  readonly name: string;
}

/** Returns the command that runs the file; none for curl. */
export function runCommand(language: Language, name: string): string | undefined {
  return { curl: undefined, typescript: `node ${name}.mts`, python: `python3 ${name}.py` }[language];
}

/** Returns code that generates a PDF, by language. The key is in the variable TRIFOLD_KEY. */
export function generatePdf({ url, body, name }: PdfCall): Readonly<Record<Language, string>> {
  const json = JSON.stringify(body, null, 2);
  return {
    // No JSON line equals the heredoc delimiter.
    curl: `curl -sS --fail-with-body ${url}/v1/generate -o ${name}.pdf \\
  -H "Authorization: Bearer $TRIFOLD_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/pdf' \\
  --data-binary @- <<'JSON'
${json}
JSON`,
    typescript: `// ${name}.mts
import { createWriteStream } from 'node:fs';
import { TrifoldClient } from '@trifold/client';

const client = new TrifoldClient({
  baseUrl: '${url}',
  apiKey: process.env.TRIFOLD_KEY,
});
const pdf = await client.documents.pdf(${json});
await pdf.pipeTo(createWriteStream('${name}.pdf'));`,
    python: `# ${name}.py
import json, os, urllib.request

body = ${pythonOf(body)}
request = urllib.request.Request(
    "${url}/v1/generate",
    json.dumps(body).encode(),
    {
        "Authorization": f"Bearer {os.environ['TRIFOLD_KEY']}",
        "Content-Type": "application/json",
        "Accept": "application/pdf",
    },
)
with urllib.request.urlopen(request) as response, open("${name}.pdf", "wb") as file:
    file.write(response.read())`,
  };
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Returns a value as Python, which differs from JSON in three literals. */
function pythonOf(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (token) => PYTHON_WORDS[token] ?? token,
  );
}
