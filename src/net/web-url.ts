/** Parses URLs that users supply. */

/** A host has at most 253 characters, and three times as many if all are escaped. */
const MAX_AUTHORITY_CHARS = 1_024;
/** The host, as the URL standard finds it: any number of slashes, even none, stands for `//`. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/i;

/**
 * Parses an absolute URL; null if it is invalid. A host that is too long is not parsed: normalizing combining marks takes
 * quadratic time, 8 s for 640 KB.
 */
export function parseWebUrl(text: string): URL | null {
  const [, authority = ""] = AUTHORITY.exec(text.trim().replaceAll(/[\t\n\r]/g, "")) ?? [];
  return authority.length <= MAX_AUTHORITY_CHARS && URL.canParse(text) ? new URL(text) : null;
}
