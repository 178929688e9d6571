/**
 * Valid document keys and list names. Keys become file names, so they contain no character that is special anywhere.
 */

import type { Key } from "../ports/store.ts";

/** Excludes the kinds that the storage uses internally. */
const KEY =
  /^(?!documents:|log:|list:|manifest:|owner:|blob:|damaged:)[a-z0-9][a-z0-9_-]{0,63}:[a-z0-9][a-z0-9_.-]{0,199}$/;
const LIST_NAME = /^[a-z0-9][a-z0-9_.-]{0,199}$/;

/** The list of all stored lists. It distinguishes an empty list from one whose items are all lost. */
export const CATALOG = "stored-lists";

/** Any other key was never stored, even if it came from a URL. */
export function isKey(text: string): text is Key {
  return KEY.test(text);
}

/** Whether the rows of a list are not stored with documents. */
export function isDerivedList(name: string): boolean {
  return name.startsWith("derived.");
}

export function isListName(text: string): boolean {
  return LIST_NAME.test(text) && text !== CATALOG;
}
