import { expect, it } from 'vitest';
import { entriesOf, readChartValues } from './values-reference.ts';

const VALUES = `# About the file.

# How many.
replicas: 2
# What it
# is called.
gateway:
  # First of its group.
  image: ""
  # More.
  deep:
    # Innermost.
    one: [1]
  # Set as a whole.
  resources:
    limits:
      cpu: 1
`;

it('readChartValues uses the comment above each value and does not split a map whose fields have no comments', () => {
  const entries = entriesOf(readChartValues(VALUES));
  expect(entries.map(({ path, description, fallback }) => [path, description, fallback])).toEqual([
    ['replicas', 'How many.', 2],
    ['gateway', 'What it is called.', undefined],
    ['gateway.image', 'First of its group.', ''],
    ['gateway.deep', 'More.', undefined],
    ['gateway.deep.one', 'Innermost.', [1]],
    ['gateway.resources', 'Set as a whole.', { limits: { cpu: 1 } }],
  ]);
});

it('readChartValues names every value without a description', () => {
  const text = 'one: 1\n# Two.\ntwo:\n  # Three.\n  three: 3\n  four: 4\n';
  expect(() => readChartValues(text)).toThrow('values without a comment: one, two.four');
});
