/**
 * Returns a URL, which may be relative, without parts that often contain secrets: user, password, query and fragment.
 */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol))
    return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
  const [path = ''] = text.split(/[?#]/, 1);
  const shown = path.replace(/^((?:[a-z][a-z\d+.-]*:)?[\\/]{2})[^\\/]*@/i, '$1');
  return text.includes('?') ? `${shown}?…` : shown;
}
