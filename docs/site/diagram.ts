/** A node with its label, such as `api[(API server)]`. */
const NODE = /^(\w+)(?:[([{]+"?(.*?)"?[)\]}]+)?$/;
/** A flowchart arrow, which may have a label. */
const ARROW = /\s*(?:-->|(?:--|-\.)\s*"?(.*?)"?\s*(?:-->|\.->))\s*/;
const PARTICIPANT = /^participant (\w+) as (.+)$/;
const MESSAGE = /^(\w+)--?>>(\w+): (.+)$/;

/** Returns each line of a Mermaid flowchart or sequence diagram as text, such as `Client → Gateway: request`. */
export function diagramLines(source: string): string[] {
  const [, ...lines] = source.trim().split('\n');
  const labels = new Map<string, string>();
  const steps = lines.flatMap((line) => stepOf(line.trim(), labels) ?? []);
  return steps.map(({ nodes, label }) => {
    const [first, ...others] = nodes.map((node) => labels.get(node) ?? node);
    const path = [first, ...others.filter((node) => node !== first)].join(' → ');
    return label === undefined ? path : `${path}: ${label}`;
  });
}

function stepOf(line: string, labels: Map<string, string>) {
  const [, participant, name] = PARTICIPANT.exec(line) ?? [];
  if (participant !== undefined && name !== undefined) {
    labels.set(participant, name);
    return undefined;
  }
  const [, from, to, message] = MESSAGE.exec(line) ?? [];
  if (from !== undefined && to !== undefined) return { nodes: [from, to], label: message };
  // Every second part is the label of an arrow.
  const parts = line.split(ARROW);
  const nodes = parts.filter((_, index) => index % 2 === 0).map((part) => nodeOf(part ?? '', labels));
  return { nodes, label: parts[1] };
}

function nodeOf(text: string, labels: Map<string, string>): string {
  const [, node = text, label] = NODE.exec(text) ?? [];
  // The first line of the label is the name.
  if (label !== undefined) labels.set(node, label.replace(/<br.*/, ''));
  return node;
}
