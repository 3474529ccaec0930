import { STATUS_CODES } from 'node:http';
import {
  nameOf,
  type Answer,
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PlacedOperation,
} from './document-model.ts';
import { html, type Html } from './html.ts';
import { inline, prose } from './prose.ts';
import { limitsOf, typeOf } from './schema-view.ts';

/** One operation: what it does, takes and answers. */
export function operationView(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  return html`<section class="operation" id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    ${prose(operation.description)}
    <pre class="command">${commandFor(placed)}</pre>
    ${parametersView(operation.parameters ?? [])} ${bodyView(operation)}
    <h4>Answers</h4>
    ${Object.entries(operation.responses).map(([status, answer]) => answerView(document, status, answer))}
  </section>`;
}

/** How the operation is asked for with curl. */
function commandFor({ method, path, operation }: PlacedOperation): string {
  const content = operation.requestBody?.content['application/json'];
  const isFile = Object.keys(operation.responses['200']?.content ?? {}).every(
    (type) => !type.endsWith('json'),
  );
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$TRIFOLD_URL${path}"`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TRIFOLD_KEY"'] : []),
    ...(content ? ["-H 'Content-Type: application/json'", '-d @body.json'] : []),
    ...(isFile && operation.responses['200']?.content ? ['-OJ'] : []),
  ];
  return parts.join(' \\\n  ');
}

function parametersView(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    (parameter) =>
      html`<tr>
        <td><code>${parameter.name}</code>${parameter.required ? html` <em>required</em>` : undefined}</td>
        <td>${parameter.in}</td>
        <td>${typeOf(parameter.schema)}</td>
        <td>${inline(parameter.description)} <small>${limitsOf(parameter.schema)}</small></td>
      </tr>`,
  );
  return html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>In</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function bodyView({ requestBody }: Operation): Html | undefined {
  if (!requestBody) return undefined;
  return html`<h4>Body</h4>
    ${contentView(requestBody.content)}`;
}

function contentView(content: Content | undefined): Html[] {
  return Object.entries(content ?? {}).map(([type, { schema, example }]) => {
    const shown = type === 'application/json' ? html`: ${typeOf(schema)}` : undefined;
    return html`<p><code>${type}</code>${shown}</p>
      ${example === undefined ? undefined : html`<pre>${JSON.stringify(example, undefined, 2)}</pre>`}`;
  });
}

function answerView(document: OpenApiDocument, status: string, answer: Answer): Html {
  const {
    description,
    content,
    headers = {},
  } = answer.$ref === undefined ? answer : (document.components.responses[nameOf(answer.$ref)] ?? answer);
  const names = Object.keys(headers);
  const told = Number(status) < 400 ? description : description?.replace(/^[^\n]*\n+/, '');
  return html`<details${Number(status) < 400 ? html` open` : undefined}><summary><b class="status${status.charAt(0)}">${status}</b> ${STATUS_CODES[status]}</summary>
${prose(told)}
${contentView(content)}
<p class="headers">Headers: ${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}</p>
</details>`;
}
