/** Languages of the code on the start page. */
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Code of one step in each language. */
export type Snippets = Readonly<Record<Language, string>>;

/** Reads a key without showing it or writing it to the history of the shell. */
export const EXPORT_KEY = 'read -rs TRIFOLD_KEY && export TRIFOLD_KEY';

/** Commands that run the file of all steps; curl needs none. */
export const RUN: Partial<Snippets> = { typescript: 'node hello.mts', python: 'python3 hello.py' };

/** Returns code that creates a template. `url`: address of the service. */
export function createTemplate(url: string): Snippets {
  return {
    curl: `TEMPLATE=$(curl -sS --fail-with-body ${url}/v1/templates \\
  -H "Authorization: Bearer $TRIFOLD_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "Hello", "html": "<h1>Hello {{name}}</h1>"}' | jq -r .id)`,
    typescript: `// hello.mts
import { createWriteStream } from 'node:fs';
import { TrifoldClient } from '@trifold/client';

const client = new TrifoldClient({
  baseUrl: '${url}',
  apiKey: process.env.TRIFOLD_KEY,
});
const template = await client.templates.create({
  name: 'Hello',
  html: '<h1>Hello {{name}}</h1>',
});`,
    python: `# hello.py
import json, os, urllib.request

def post(path, body, accept="application/json"):
    headers = {
        "Authorization": f"Bearer {os.environ['TRIFOLD_KEY']}",
        "Content-Type": "application/json",
        "Accept": accept,
    }
    data = json.dumps(body).encode()
    request = urllib.request.Request("${url}" + path, data, headers)
    with urllib.request.urlopen(request) as response:
        return response.read()

template = json.loads(post("/v1/templates", {
    "name": "Hello",
    "html": "<h1>Hello {{name}}</h1>",
}))`,
  };
}

/** Returns code that generates a PDF from the template of `createTemplate`. */
export function generatePdf(url: string): Snippets {
  return {
    curl: `curl -sS --fail-with-body ${url}/v1/generate -o hello.pdf \\
  -H "Authorization: Bearer $TRIFOLD_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/pdf' \\
  -d '{"template_id": "'$TEMPLATE'", "data": {"name": "World"}}'`,
    typescript: `const pdf = await client.documents.pdf({
  template_id: template.id,
  data: { name: 'World' },
});
await pdf.pipeTo(createWriteStream('hello.pdf'));`,
    python: `pdf = post("/v1/generate", {
    "template_id": template["id"],
    "data": {"name": "World"},
}, accept="application/pdf")
with open("hello.pdf", "wb") as file:
    file.write(pdf)`,
  };
}
