import {
  nameOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
} from '../../docs/generate/openapi-document.ts';

const HEADER = `# Generated from docs/openapi.json. Do not edit.
"""Types of requests, responses, events and queries, by their names in the service's OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict
`;

/** Names for values that occur in many places, each found through one of them. */
const NAMED_VALUES: readonly (readonly [name: string, schema: string, property: string])[] = [
  ['DocumentFormat', 'BatchRequest', 'format'],
  ['DocumentStatus', 'Batch', 'status'],
  ['EventType', 'DeliveryEntry', 'event_type'],
  ['Scope', 'ApiKey', 'scopes'],
  ['TemplatePart', 'DocumentWarning', 'part'],
];

/** Fields that the client sets itself, or with which the service does not return a PDF. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  GenerateRequest: ['async'],
  PdfRequest: ['async', 'format', 'webhook_url'],
};

/** Operations under an alternative path. */
const ALIASES: readonly string[] = ['listKeys'];

/** Names that a class field cannot have. */
const KEYWORDS: readonly string[] = ['async', 'from'];

/** Returns the module with a TypedDict for each object in the OpenAPI document. */
export function typesModule(api: OpenApi): string {
  const module = new TypesModule(api.schemas);
  for (const [name, schema] of Object.entries(api.schemas)) module.add(name, schema);
  const { GenerateRequest: request } = api.schemas;
  if (request) module.add('PdfRequest', { ...request, description: 'Request of `documents.pdf`.' });
  for (const operation of api.operations) module.addQuery(operation);
  return module.text;
}

class TypesModule {
  readonly #values = new Map<string, string>();
  readonly #classes: string[] = [];
  readonly #aliases: string[] = [];

  constructor(schemas: OpenApi['schemas']) {
    for (const [name, schema, property] of NAMED_VALUES) {
      const declared = schemas[schema]?.properties?.[property];
      const values = declared?.enum ?? declared?.items?.enum;
      this.#aliases.push(alias(name, literal(values)));
      this.#values.set(JSON.stringify(values), name);
    }
  }

  get text(): string {
    // Aliases are evaluated on import, so they follow the classes.
    return `${[HEADER, ...this.#classes].join('\n\n')}\n\n${this.#aliases.join('')}`;
  }

  add(name: string, schema: Schema): void {
    if (schema.properties) this.#addObject(name, schema);
    else this.#aliases.push(alias(name, this.#type(schema, name)));
  }

  addQuery({ method, operationId, parameters = [] }: Operation): void {
    const query = parameters.filter((parameter) => parameter.in === 'query');
    if (method !== 'GET' || query.length === 0 || ALIASES.includes(operationId)) return;
    const properties = Object.fromEntries(query.map((parameter) => [parameter.name, schemaOf(parameter)]));
    const description = `Query of the operation ${operationId}.`;
    this.#addObject(`${capitalized(operationId)}Query`, { properties, description });
  }

  #addObject(name: string, { properties = {}, required = [], description }: Schema): void {
    const fields = Object.entries(properties).filter(([field]) => !OMITTED[name]?.includes(field));
    const typed = fields.map(([field, schema]) => {
      const type = this.#type(schema, `${name}${pascalCase(field)}`);
      const text = required.includes(field) ? type : `NotRequired[${type}]`;
      return { field, type: text, description: schema.description };
    });
    if (fields.some(([field]) => KEYWORDS.includes(field))) {
      const entries = typed.map(({ field, type }) => `        "${field}": "${type.replaceAll('"', "'")}",\n`);
      this.#classes.push(`${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`);
      return;
    }
    const lines = typed.map((field) => `    ${field.field}: ${field.type}\n${docstring(field.description)}`);
    const summary = docstring(description);
    this.#classes.push(`class ${name}(TypedDict):\n${summary}${summary && '\n'}${lines.join('')}`);
  }

  /** `name` becomes the class name if the schema needs a class. */
  #type(schema: Schema, name: string): string {
    const { type } = schema;
    const reference = nameOf(schema) ?? this.#literal(schema);
    if (reference) return reference;
    const choices = choicesOf(schema);
    if (choices) return choices.map((choice) => this.#type(choice, name)).join(' | ');
    if (type === 'array') return `Sequence[${this.#type(schema.items ?? {}, name.replace(/s$/, ''))}]`;
    return type === 'object' ? this.#object(schema, name) : scalar(type);
  }

  #literal(schema: Schema): string | undefined {
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum === undefined) return undefined;
    return this.#values.get(JSON.stringify(schema.enum)) ?? literal(schema.enum);
  }

  #object(schema: Schema, name: string): string {
    if (schema.properties) {
      this.#addObject(name, schema);
      return name;
    }
    const { additionalProperties } = schema;
    const entries = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Mapping[str, ${this.#type(entries, name)}]`;
  }
}

function choicesOf({ anyOf, oneOf, type, ...schema }: Schema): readonly Schema[] | undefined {
  if (Array.isArray(type)) return (type as string[]).map((each) => ({ ...schema, type: each }));
  return anyOf ?? oneOf;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function scalar(type: Schema['type']): string {
  return SCALARS[String(type)] ?? 'Any';
}

function schemaOf({ schema, description }: Parameter): Schema {
  return description === undefined ? schema : { ...schema, description };
}

function alias(name: string, type: string): string {
  return `${name}: TypeAlias = ${type}\n`;
}

function literal(values: Schema['enum'] = []): string {
  const names = values.map((value) => (value === false ? 'False' : value === true ? 'True' : `"${value}"`));
  return `Literal[${names.join(', ')}]`;
}

function docstring(description: string | undefined): string {
  if (description === undefined) return '';
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `    """${text}"""\n`;
}

function pascalCase(field: string): string {
  return field.split('_').map(capitalized).join('');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
