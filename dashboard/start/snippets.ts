/** Languages of the code on the start page. */
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The same code in each language. */
export type Snippets = Readonly<Record<Language, string>>;

/** Reads a key without showing it or writing it to the history of the shell. */
export const EXPORT_KEY = 'read -rs TRIFOLD_KEY && export TRIFOLD_KEY';

/** Commands that run the file; curl needs none. */
export const RUN: Partial<Snippets> = { typescript: 'node hello.mts', python: 'python3 hello.py' };

/** Returns code that generates a PDF from the template in its request. `url`: address of the service. */
export function generatePdf(url: string): Snippets {
  return {
    curl: `curl -sS --fail-with-body ${url}/v1/generate -o hello.pdf \\
  -H "Authorization: Bearer $TRIFOLD_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/pdf' \\
  -d '{"template": {"html": "<h1>Hello {{name}}</h1>"},
       "data": {"name": "World"}}'`,
    typescript: `// hello.mts
import { createWriteStream } from 'node:fs';
import { TrifoldClient } from '@trifold/client';

const client = new TrifoldClient({
  baseUrl: '${url}',
  apiKey: process.env.TRIFOLD_KEY,
});
const pdf = await client.documents.pdf({
  template: { html: '<h1>Hello {{name}}</h1>' },
  data: { name: 'World' },
});
await pdf.pipeTo(createWriteStream('hello.pdf'));`,
    python: `# hello.py
import json, os, urllib.request

body = {
    "template": {"html": "<h1>Hello {{name}}</h1>"},
    "data": {"name": "World"},
}
request = urllib.request.Request(
    "${url}/v1/generate",
    json.dumps(body).encode(),
    {
        "Authorization": f"Bearer {os.environ['TRIFOLD_KEY']}",
        "Content-Type": "application/json",
        "Accept": "application/pdf",
    },
)
with urllib.request.urlopen(request) as response, open("hello.pdf", "wb") as file:
    file.write(response.read())`,
  };
}
