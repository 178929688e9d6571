/** Finds the known name that a caller probably meant. Pure. */

/** Longer names are ignored, because callers choose them and the comparison is quadratic. */
const MAX_NAME_CHARS = 64;
const MAX_NAMES = 200;

/** Names in other systems, and the names to use here. */
const ALIASES: Readonly<Record<string, string>> = {
  required: "optional",
  nullable: "optional",
  description: "desc",
  title: "name",
  label: "name",
  multiple: "array",
  enum: "options",
  if: "conditional",
  condition: "conditional",
  next: "destinations",
  id: "key",
  credentials: "connection",
};

/** ` Did you mean "optional"?` with a leading space, or an empty string. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = closestName(given, known);
  if (name === null) return "";
  const opposite = given === "required" && name === "optional" ? " (with the opposite value)" : "";
  return ` Did you mean ${JSON.stringify(name)}${opposite}?`;
}

/** The known name with the smallest edit distance, at most a third of its letters; null if there is none. */
export function closestName(given: string, known: Iterable<string>): string | null {
  if (given.length > MAX_NAME_CHARS) return null;
  const names = [...first(known, MAX_NAMES)].filter((name) => name.length <= MAX_NAME_CHARS);
  const plain = plainName(given);
  const alias = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
  if (alias !== undefined && names.includes(alias)) return alias;
  const near = names.map((name) => ({ name, distance: distance(plain, plainName(name)) }));
  const [best] = near.sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= Math.floor(plain.length / 3) ? best.name : null;
}

function* first<T>(items: Iterable<T>, most: number): Generator<T, void> {
  let taken = 0;
  for (const item of items) {
    if (taken++ === most) return;
    yield item;
  }
}

const plainName = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();

/** Edit distance: letters added, removed, replaced or swapped with their neighbor (optimal string alignment). */
function distance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
