import { isResourceName, type OwnerReference } from '@trifold/crds';
import { forbidden, invalid, required, tooLong, type FieldError } from './field-error.ts';
import type { StoredMeta } from './stored-object.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com')";
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name', or '123-abc')";
const NAME_PART_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName', or 'my.name')";

/**
 * Maximum total size of an object's annotations (keys and values), in bytes (apimachinery `TotalAnnotationSizeLimitB`).
 */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** Validates metadata as the API server does on create and update. */
export function validateMetadata(metadata: StoredMeta, nameIsLabel: boolean): FieldError[] {
  return [
    ...validateName(metadata.name, nameIsLabel),
    ...validateGenerateName(metadata.generateName, nameIsLabel),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata.ownerReferences ?? []),
    ...(metadata.finalizers ?? []).flatMap((name) => qualifiedName('metadata.finalizers', name)),
  ];
}

function validateName(name: string, isLabel: boolean): FieldError[] {
  const field = 'metadata.name';
  return name === ''
    ? [required(field, 'name or generateName is required')]
    : nameErrors(field, name, isLabel);
}

/** Validates the prefix of a name; it may end with a hyphen. */
function validateGenerateName(prefix: string | undefined, isLabel: boolean): FieldError[] {
  if (!prefix) return [];
  return nameErrors('metadata.generateName', prefix.replace(/(?<=.)-$/, 'a'), isLabel);
}

function nameErrors(field: string, name: string, isLabel: boolean): FieldError[] {
  if (isLabel && name.includes('.')) return [invalid(field, name, 'must not contain dots')];
  const longest = isLabel ? 63 : 253;
  if (name.length > longest) return [invalid(field, name, `must be no more than ${longest} bytes`)];
  if (isLabel ? LABEL.test(name) : isResourceName(name)) return [];
  return [invalid(field, name, isLabel ? LABEL_RULE : SUBDOMAIN_RULE)];
}

function validateLabels(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedName('metadata.labels', key),
    ...labelValue('metadata.labels', value),
  ]);
}

function labelValue(field: string, value: string): FieldError[] {
  if (value.length > 63) return [invalid(field, value, 'must be no more than 63 bytes')];
  if (LABEL_VALUE.test(value)) return [];
  return [
    invalid(
      field,
      value,
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue', or '12345')",
    ),
  ];
}

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const field = 'metadata.annotations';
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  return [
    // The prefix of an annotation key may contain uppercase letters.
    ...Object.keys(annotations).flatMap((key) => qualifiedName(field, key.toLowerCase())),
    ...(bytes > ANNOTATIONS_LIMIT ? [tooLong(field, ANNOTATIONS_LIMIT)] : []),
  ];
}

function qualifiedName(field: string, text: string): FieldError[] {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? undefined : text.slice(0, slash);
  const name = text.slice(slash + 1);
  const errors: FieldError[] = [];
  if (prefix === '') errors.push(invalid(field, text, 'prefix part must be non-empty'));
  else if (prefix !== undefined && !isResourceName(prefix))
    errors.push(invalid(field, text, `prefix part ${SUBDOMAIN_RULE}`));
  if (name === '') errors.push(invalid(field, text, 'name part must be non-empty'));
  else if (name.length > 63) errors.push(invalid(field, text, 'name part must be no more than 63 bytes'));
  else if (!QUALIFIED_NAME.test(name)) errors.push(invalid(field, text, NAME_PART_RULE));
  return errors;
}

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  const field = 'metadata.ownerReferences';
  const errors = owners.flatMap((owner) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((member) => owner[member] === '')
      .map((member) =>
        invalid(
          `${field}.${member}`,
          '',
          member === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
        ),
      ),
  );
  const controllers = owners.filter((owner) => owner.controller === true);
  if (controllers.length > 1)
    errors.push(
      invalid(field, owners, 'Only one reference can have Controller set to true. Found more than one'),
    );
  return errors;
}

/** Validates metadata changes in an update. The caller compares the name with the URL. */
export function validateMetadataUpdate(next: StoredMeta, old: StoredMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const member of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (next[member] !== old[member])
      errors.push(invalid(`metadata.${member}`, next[member] ?? null, 'field is immutable'));
  }
  const added = (next.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
  if (old.deletionTimestamp !== undefined && added.length > 0)
    errors.push(
      forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
      ),
    );
  return errors;
}
