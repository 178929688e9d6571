/** Entity tags in `If-None-Match` (RFC 9110 §13.1.2). Pure. */

/** Whether the header names the tag, also as a weak one. `*` names every tag. */
export function namesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((given) => {
    const tag = given.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}
