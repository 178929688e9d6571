/** Addresses that others write. */

/** A host has 253 characters at most, and three times as many where each is escaped. */
const MAX_AUTHORITY_LENGTH = 1_024;
/** Where the host stands, as the URL standard finds it: it takes any slashes, and none, for `//`. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/i;

/**
 * An absolute address; null for what is none. A host that is too long for one is not read: bringing combining marks into
 * order takes quadratic time, which was 8 s for 640 KB.
 */
export function readAddress(text: string): URL | null {
  const [, authority = ""] = AUTHORITY.exec(text.trim().replaceAll(/[\t\n\r]/g, "")) ?? [];
  return authority.length <= MAX_AUTHORITY_LENGTH && URL.canParse(text) ? new URL(text) : null;
}
