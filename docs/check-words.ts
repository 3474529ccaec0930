/**
 * Part of `npm run check`: keeps words unfamiliar to readers in the field out of the project. Exits 1 with the location
 * of each one and the word to use.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Terms that this project invented, as patterns, with the field's word. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/not_a_letter/, 'email template'],
  [/\w*_?BAND_\w*|\bband[A-Z]\w*/, 'header, footer, decoration'],
  [
    /\b(?:refuse|refused|refusal)(?=[A-Z])(?!Connections)\w*|[a-z]Refus\w+|\bRefus(?:ed|al)[A-Z]\w*/,
    'reject',
  ],
  [/(?<!CONN|E)REFUSED_/, 'REJECTED'],
  [/#?\btell[A-Z]\w*/, 'report, warn, notify'],
  [/facts_too_large|[a-z]Facts\b|result-facts/, 'result metadata, description'],
  [/MAX_LIVE_JOBS|\bmaxLiveJobs\b/, 'unfinished documents'],
  [/\bmadeWith\b|\bforegone\b|\bstained\b|\bresidue\b/, 'the name of the state'],
  [/\bHeldJson\b|\bheld-json\b/, 'RawJson'],
  [/\bturnFor\b|\bturn-for\b/, 'yieldForLarge'],
  [/\bMortal\b/, 'CrashingProcess'],
  [/\bslim[A-Z]\w*/, 'reduced, listed'],
  [/\bWorkTraits\b|\b(?:job|batch)Remains\b|\bspec\.place\b/, 'behavior, cleanup, sequence'],
  [/\bkeyOf\b|\btellOf\b/, 'a noun of the result'],
];
/** Words that native writers do not use this way, as patterns for prose, with what to write instead. */
const PROSE_WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:un)?answer(?:s|ed|ing)?\b(?![-`":}])/i, 'response, return, respond'],
  [/\bmembers?\b(?![`":}])/i, 'field, property'],
  [/\bat once\b/i, 'immediately, at the same time'],
  [/(?<!there )\b(?:is|are) no (?!longer\b|more\b)/i, 'is not a'],
  [/\bof kubectl\b/i, 'created with kubectl'],
  [/\bthe (?:release|version) before\b/i, 'the previous release'],
  [/\bfacts?\b/i, 'the name of the data'],
  [/\b(?:some|no|every|any)body\b/i, 'the actor: no client, another user'],
  [/\bof (?:its|their|our) own\b(?=[,.;:)]|$)|\bof ours\b/i, 'separate, dedicated, our'],
  [/\ball the same\b|\bin hand\b|\bbesides?\b/i, 'anyway, active, also, next to'],
  [/\b(?:persons?|people)\b(?![/-])/i, 'user, client, reader'],
  [/\b(?:a|the|one|each|every|this|its|last|next) picture\b|\bpictures\b(?!["/-])/i, 'image, screenshot'],
  [/\btexts\b(?![`":])/i, 'strings, text'],
  [/\b(?:colou|behaviou)r/i, 'color, behavior'],
];
const STRING = /(['"`])(?:(?!\1)[^\\]|\\.)*\1/g;
const COMMENT = /^\s*(?:\/\/|\/?\*)(.*)|\s\/\/ (.*)$/;
const TEST_NAME = /(?:\b(?:it|test|describe)(?:\.\w+)*\(|\)\()(['"`])((?:(?!\1)[^\\]|\\.)*)\1/;
/** Tests, and the examples' sample data: only their comments and test names are prose. */
const NOT_PUBLIC = /\.test\.tsx?$|^examples\/|(?:^|\/)(?:test|testing|conformance)\//;
const READ = ['*.ts', '*.tsx', '*.md', '*.yaml', '*.tpl', '*.json'];
/** A generated file, and this list. */
const SKIPPED = [':!package-lock.json', ':!docs/check-words.ts'];

const root = new URL('../', import.meta.url);
const files = execFileSync('git', ['ls-files', '-z', ...READ, ...SKIPPED], {
  cwd: fileURLToPath(root),
  encoding: 'utf8',
});
for (const file of files.split('\0').filter(Boolean)) {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    report(`${file}:${index + 1}`, line, WORDS);
    report(`${file}:${index + 1}`, proseOf(file, line), PROSE_WORDS);
  }
}

/** Returns the prose of a line: all of it, or the comments, test names, messages and descriptions in code. */
function proseOf(file: string, line: string): string {
  const isPublic = !NOT_PUBLIC.test(file);
  if (!/\.tsx?$/.test(file)) return isPublic ? line : '';
  return [commentOf(line), TEST_NAME.exec(line)?.[2] ?? '', ...(isPublic ? stringsOf(line) : [])]
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''))
    .filter((text) => text.includes(' '))
    .join('\n');
}

/** Returns a line's comment, without its code spans. */
function commentOf(line: string): string {
  const [, whole, trailing = ''] = COMMENT.exec(line) ?? [];
  return (whole ?? trailing).replaceAll(/`[^`]*`/g, '');
}

/** Returns the string literals of a line that is not a comment. */
function stringsOf(line: string): readonly string[] {
  return COMMENT.exec(line)?.[1] === undefined ? (line.match(STRING) ?? []) : [];
}
function report(place: string, text: string, words: typeof WORDS): void {
  for (const [word, instead] of words) {
    const found = word.exec(text)?.[0];
    if (found === undefined) continue;
    process.stderr.write(`${place}: ${found}: the word here is: ${instead}\n`);
    process.exitCode = 1;
  }
}
