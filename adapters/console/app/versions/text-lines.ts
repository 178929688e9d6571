/** The difference of two texts by lines. Pure. */

export interface Line {
  readonly kind: "equal" | "added" | "removed";
  readonly text: string;
}

/** Parts times parts that are compared exactly. Of longer lists, all between the equal ends differs. */
const MAX_CELLS = 1_000_000;

export const lineDifference = (before: string, after: string): readonly Line[] =>
  listDifference(before.split("\n"), after.split("\n"));

/** The difference of two texts by any parts of theirs. */
export function listDifference(old: readonly string[], now: readonly string[]): readonly Line[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (start + end < shorter && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const equal = (text: string): Line => ({ kind: "equal", text });
  return [...now.slice(0, start).map(equal), ...middle, ...now.slice(now.length - end).map(equal)];
}

function between(old: readonly string[], now: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ kind: "removed", text });
  const added = (text: string): Line => ({ kind: "added", text });
  if (old.length * now.length > MAX_CELLS) return [...old.map(removed), ...now.map(added)];
  // Length of the longest common sequence of what is left of both, from each pair of places on.
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [one, other] = [old[i], now[j]];
    if (one !== undefined && one === other) {
      lines.push({ kind: "equal", text: one });
      i++;
      j++;
    } else if (
      other === undefined ||
      (one !== undefined && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      if (one !== undefined) lines.push(removed(one));
      i++;
    } else {
      lines.push(added(other));
      j++;
    }
  }
  return lines;
}
