/** Key format: tf_live_ or tf_test_ and 43 alphanumeric characters, 51 in all (interface, "Authentication" 3). */
const KEY = /^tf_(live|test)_[A-Za-z0-9]{43}$/;

/** Whether the string has the format of a key. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}
