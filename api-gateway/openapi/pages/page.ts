import { operationsOf, type OpenApiDocument } from './document-model.ts';
import { html, Html } from './html.ts';
import { operationView } from './operation-view.ts';
import { prose } from './prose.ts';
import { membersOf, typeOf } from './schema-view.ts';
import { STYLE } from './style.ts';

/** Its hash is in the policy of the page, so it is the same to the last space. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** The whole documentation as one page of HTML: no script, nothing loaded from anywhere. */
export function documentationPage(document: OpenApiDocument): string {
  const { info } = document;
  const tags = document.tags
    .map((tag) => ({ ...tag, operations: operationsOf(document, tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  const schemas = Object.entries(document.components.schemas);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} API</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav aria-label="Operations">
          <a href="#top">${info.title} API ${info.version}</a>
          ${tags.map(
            ({ name, operations }) =>
              html`<strong>${name}</strong>
                <ul>
                  ${operations.map(
                    ({ method, operation }) =>
                      html`<li>
                        <a href="#${operation.operationId}"
                          ><b class="${method.toLowerCase()}">${method}</b>${operation.summary}</a
                        >
                      </li>`,
                  )}
                </ul>`,
          )}
          <strong>Schemas</strong>
          <ul>
            ${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="top">
          <h1>${info.title} API <small>${info.version}</small></h1>
          ${prose(info.description)}
          <p>For programs: <a href="/v1/openapi.json">/v1/openapi.json</a>, OpenAPI 3.1.</p>
          ${tags.map(
            ({ name, description, operations }) =>
              html`<h2>${name}</h2>
                ${prose(description)} ${operations.map((placed) => operationView(document, placed))}`,
          )}
          <h2>Schemas</h2>
          ${schemas.map(
            ([name, schema]) =>
              html`<section class="schema" id="schema-${name}">
                <h3>${name}</h3>
                ${prose(schema.description)} ${membersOf(schema) ?? html`<p>${typeOf(schema)}</p>`}
              </section>`,
          )}
        </main>
      </body>
    </html> `;
  return page.text;
}
