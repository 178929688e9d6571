/** Which keys documents can have, and names lists: keys become file names, so nothing in them may be special anywhere. */

/** Kinds under which the storage keeps its own things. */
const KEY = /^(?!log:|list:|manifest:|owner:|blob:|damaged:)[a-z0-9][a-z0-9_-]{0,63}:[a-z0-9][a-z0-9_.-]{0,199}$/;
const LIST_NAME = /^[a-z0-9][a-z0-9_.-]{0,199}$/;

/** The list of the names of all lists that are stored: one of which nothing can be read is empty only if it is not there. */
export const CATALOG = "stored-lists";

/** Anything else was never stored, whatever a caller put into an address. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

export function isListName(text: string): boolean {
  return LIST_NAME.test(text) && text !== CATALOG;
}
