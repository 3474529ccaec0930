import { Fragment } from 'preact';

/** The metadata of a document or batch: text that the service does not interpret. */
export function Metadata({ metadata }: { readonly metadata: Readonly<Record<string, string>> }) {
  return (
    <dl class="metadata">
      {Object.entries(metadata).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
