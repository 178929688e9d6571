/** The name of the file of an export. Pure. */

/** Longer names of files do not fit on every disk: a character takes up to four bytes of 255. */
const MAX_NAME_CHARS = 50;

/** The app and the time, in characters that every system accepts. @param now Milliseconds since 1970 */
export function exportName(app: string, now: number): string {
  const accepted = app.replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-/, "");
  const words = [...accepted].slice(0, MAX_NAME_CHARS).join("").replace(/-$/, "");
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  return `${words === "" ? "app" : words}-runs-${time}.jsonl`;
}
