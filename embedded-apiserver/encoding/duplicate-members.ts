interface Level {
  /** Undefined for an array. */
  readonly members: Set<string> | undefined;
  readonly path: string;
  member: string;
  index: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Returns the paths of members that occur more than once in one object. The text must be valid JSON. */
export function findDuplicateMembers(text: string): string[] {
  const duplicates: string[] = [];
  const levels: Level[] = [];
  let candidate = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if ('{['.includes(token)) levels.push(openLevel(level, token));
    else if ('}]'.includes(token)) levels.pop();
    else if (token === ',') advance(level);
    else if (token === ':') nameMember(level, candidate, duplicates);
    else candidate = token;
  }
  return duplicates;
}

function openLevel(parent: Level | undefined, token: string): Level {
  return { members: token === '{' ? new Set() : undefined, path: pathWithin(parent), member: '', index: 0 };
}

function advance(level: Level | undefined): void {
  if (level) level.index += 1;
}

function nameMember(level: Level | undefined, quoted: string, duplicates: string[]): void {
  if (!level?.members) return;
  level.member = JSON.parse(quoted) as string;
  if (level.members.has(level.member)) duplicates.push(pathWithin(level));
  level.members.add(level.member);
}

function pathWithin(level: Level | undefined): string {
  if (!level) return '';
  if (!level.members) return `${level.path}[${level.index}]`;
  return level.path === '' ? level.member : `${level.path}.${level.member}`;
}
