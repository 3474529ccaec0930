/** Defaults for the helpers' named arguments `locale=` and `timeZone=`, from a document's options. */
export interface LocaleOptions {
  /** Language tag (BCP 47). Without one, helpers use their own default. */
  readonly locale?: string | undefined;
  /** IANA name. Without one, helpers use their own default. */
  readonly timeZone?: string | undefined;
}

/** An option that no helper can use. */
export interface LocaleProblem {
  readonly member: keyof LocaleOptions;
  readonly message: string;
}

/**
 * Returns the first option that Node's Intl does not support; undefined if helpers can use both. For an unknown locale,
 * Intl would silently use the process's locale.
 */
export function findLocaleProblem({ locale, timeZone }: LocaleOptions): LocaleProblem | undefined {
  if (locale !== undefined && knownLocale(locale) === undefined) {
    return { member: 'locale', message: 'must be a known language tag such as de-DE (BCP 47)' };
  }
  if (timeZone !== undefined && knownTimeZone(timeZone) === undefined) {
    return { member: 'timeZone', message: 'must be a known time zone such as Europe/Berlin (IANA)' };
  }
  return undefined;
}

function knownLocale(locale: string): string | undefined {
  return unlessOutOfRange(() => Intl.DateTimeFormat.supportedLocalesOf(locale)[0]);
}

function knownTimeZone(timeZone: string): string | undefined {
  return unlessOutOfRange(() => new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone);
}

/** Intl throws a RangeError for a string that is not a tag or name. */
function unlessOutOfRange<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
