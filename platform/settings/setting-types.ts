/** Format of one type of setting, in an environment variable and in a chart value. */
export interface SettingType<T> {
  /** Parses a variable that is not empty. Throws a RangeError that says what was expected. */
  readonly parse: (text: string) => T;
  /**
   * JSON schema of the chart's value. Its `type` also decides how a chart template writes the value: the elements of an
   * array are joined by commas, as are the entries of an object (`name=value`). A string's pattern is between `^` and `$`.
   */
  readonly schema: ValueSchema;
}

export type ValueSchema =
  | { readonly type: 'boolean' }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | TextSchema
  | { readonly type: 'array'; readonly items: TextSchema }
  | {
      readonly type: 'object';
      readonly additionalProperties: false;
      readonly properties: Readonly<Record<string, ValueSchema>>;
      /** For each field, the fields that it requires. */
      readonly dependencies: Readonly<Record<string, readonly string[]>>;
      readonly description: string;
    };

interface TextSchema {
  readonly type: 'string';
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** Shown by editors. */
  readonly description?: string;
}

export const anyText: SettingType<string> = { parse: (text) => text, schema: { type: 'string' } };

/**
 * A string that matches the whole pattern; otherwise, the message says `must be ${expected}`. The chart's pattern can
 * differ where Go has no equivalent.
 */
export function textLike(form: RegExp, expected: string, chartForm = form.source): SettingType<string> {
  return {
    parse: (text) => {
      if (form.test(text)) return text;
      throw new RangeError(`must be ${expected}, not ${JSON.stringify(text)}`);
    },
    schema: { type: 'string', pattern: chartForm },
  };
}

/** An integer between two limits, inclusive. */
export function wholeNumber(minimum: number, maximum: number): SettingType<number> {
  return {
    parse: (text) => {
      const value = Number(text);
      if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
      throw new RangeError(
        `must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(text)}`,
      );
    },
    schema: { type: 'integer', minimum, maximum },
  };
}

/** One of the given words. */
export function oneOf<const Words extends readonly string[]>(...words: Words): SettingType<Words[number]> {
  return {
    parse: (text) => {
      if (words.includes(text)) return text;
      throw new RangeError(`must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`);
    },
    schema: { type: 'string', enum: words },
  };
}

export const flag: SettingType<boolean> = {
  parse: (text) => oneOf('true', 'false').parse(text) === 'true',
  schema: { type: 'boolean' },
};

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A duration such as 500ms, 30s, 5m or 24h, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  if (unit !== undefined) return Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
  throw new RangeError(`must be a duration such as 500ms, 30s, 5m or 24h, not ${JSON.stringify(text)}`);
}

/** A duration in milliseconds. The limits are inclusive and written like the setting itself (`1s`). */
export function duration(least: string, most: string): SettingType<number> {
  return {
    parse: within(parseDuration, least, most),
    schema: {
      type: 'string',
      pattern: '^[0-9]{1,9}(ms|s|m|h)$',
      description: 'A duration such as 500ms, 30s, 5m or 24h.',
    },
  };
}

const BYTES = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 } as const;

function parseByteSize(text: string): number {
  const [, count, unit] = /^(\d{1,9})(Ki|Mi|Gi|)$/.exec(text) ?? [];
  if (unit !== undefined) return Number(count) * BYTES[unit as keyof typeof BYTES];
  throw new RangeError(`must be a size such as 65536, 64Ki or 2Mi, not ${JSON.stringify(text)}`);
}

/** A size in bytes. The limits are inclusive and written like the setting itself (`64Mi`). */
export function byteSize(least: string, most: string): SettingType<number> {
  return {
    parse: within(parseByteSize, least, most),
    schema: {
      type: 'string',
      pattern: '^[0-9]{1,9}(Ki|Mi|Gi)?$',
      description: 'A string with a number of bytes such as 65536, 64Ki or 2Mi.',
    },
  };
}

function within(parse: (text: string) => number, least: string, most: string): (text: string) => number {
  const [minimum, maximum] = [parse(least), parse(most)];
  return (text) => {
    const value = parse(text);
    if (value >= minimum && value <= maximum) return value;
    throw new RangeError(`must be from ${least} to ${most}, not ${JSON.stringify(text)}`);
  };
}

/** Comma-separated values. */
export function listOf<T>({
  parse,
  schema,
}: SettingType<T> & { readonly schema: TextSchema }): SettingType<readonly T[]> {
  return { parse: (text) => text.split(',').map(parse), schema: { type: 'array', items: schema } };
}

/** Minimum length of a secret, in characters. */
const MIN_SECRET_LENGTH = 32;
const PRINTABLE = /^[!-~]+$/;

/** A secret of at least 32 characters. The message omits the value. */
export const secret: SettingType<string> = {
  parse: (text) => {
    if (text.length >= MIN_SECRET_LENGTH) return text;
    throw new RangeError(`must have at least ${MIN_SECRET_LENGTH} characters`);
  },
  schema: { type: 'string' },
};

/** Like `secret`, but for a header: printable ASCII without spaces. */
export const printableSecret: SettingType<string> = {
  parse: (text) => {
    if (PRINTABLE.test(text) && text.length >= MIN_SECRET_LENGTH) return text;
    throw new RangeError(
      `must have at least ${MIN_SECRET_LENGTH} characters of printable ASCII, without spaces`,
    );
  },
  schema: { type: 'string' },
};

/** A secret, or two separated by a comma while the first replaces the second. */
export const secretWithPredecessor: SettingType<readonly string[]> = {
  parse: (text) => {
    const keys = text.split(',');
    const isKey = (key: string) => PRINTABLE.test(key) && key.length >= MIN_SECRET_LENGTH;
    if (keys.length <= 2 && keys.every(isKey)) return keys;
    throw new RangeError(
      `must be one or two keys separated by a comma, each with at least ${MIN_SECRET_LENGTH} characters of printable ASCII without spaces or commas`,
    );
  },
  schema: { type: 'string' },
};
