/** The name of the file of an export. Pure. */

/** Longer names do not fit on every disk. */
const MAX_CHARS = 60;

/** The app and the time, in characters that every system accepts. @param now Milliseconds since 1970 */
export function exportName(app: string, now: number): string {
  const words = app
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, MAX_CHARS);
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  return `${words === "" ? "app" : words}-runs-${time}.jsonl`;
}
