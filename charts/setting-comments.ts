import { SETTINGS, type SettingDescription, type SettingName } from '@trifold/platform/service/settings.ts';

/** Columns of a comment in values.yaml. */
const WIDTH = 120;
/** A value with its comment. */
const VALUE = /(?<comment>(?:^ *#.*\n)+)?^(?<indent> *)(?<name>[\w-]+):/gm;
/** A comment names its setting in parentheses; sentences after that concern the chart alone. */
const OF_SETTING = /^.*? \((?<setting>TRIFOLD_\w+)\)\.(?<more>.*)$/;

/** Replaces the comments of settings in values.yaml with the descriptions of these settings. */
export function withSettingComments(yaml: string): string {
  const paths = pathsOf(yaml);
  return yaml.replaceAll(VALUE, (value, comment: string | undefined, indent: string, name: string) => {
    const { setting, more = '' } = settingOf(comment) ?? {};
    if (setting === undefined) return value;
    const lines = wrapped(`${descriptionOf(setting, paths)} (${setting}).${more}`, `${indent}# `);
    return `${lines.join('\n')}\n${indent}${name}:`;
  });
}

/** Returns the path of the value of each setting. */
function pathsOf(yaml: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  let path: { indent: string; name: string }[] = [];
  for (const { groups: { comment, indent = '', name = '' } = {} } of yaml.matchAll(VALUE)) {
    path = [...path.filter((part) => part.indent < indent), { indent, name }];
    const setting = settingOf(comment)?.setting;
    if (setting !== undefined) paths.set(setting, path.map((part) => part.name).join('.'));
  }
  return paths;
}

function settingOf(comment = ''): { setting: SettingName; more?: string } | undefined {
  const text = comment.trim().replaceAll(/\s*# ?/g, ' ');
  const { setting = '', more = '' } = OF_SETTING.exec(text)?.groups ?? {};
  return setting in SETTINGS ? { setting: setting as SettingName, more } : undefined;
}

function descriptionOf(setting: SettingName, paths: ReadonlyMap<string, string>): string {
  const { doc }: SettingDescription = SETTINGS[setting];
  return doc
    .replaceAll(/`(TRIFOLD_\w+)`/g, (_, name: string) => `\`${paths.get(name) ?? name}\``)
    .replace(/\.$/, '');
}

function wrapped(text: string, prefix: string): string[] {
  const lines = [prefix.trimEnd()];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${prefix}${word}`);
  }
  return lines;
}
