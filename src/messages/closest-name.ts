/** Finds the known name that somebody probably meant. Pure. */

/** Longer names are not looked at, so that what a sender chooses costs little. */
const MAX_LENGTH = 64;
const MAX_NAMES = 200;

/** Names of the same thing elsewhere: what they say, and what to write here. */
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
};

/** `Did you mean "optional"?` with a space in front, or nothing. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = closestName(given, known);
  if (name === null) return "";
  const opposite = given === "required" && name === "optional" ? " (with the opposite value)" : "";
  return ` Did you mean ${JSON.stringify(name)}${opposite}?`;
}

/** The known name with the fewest changes of a letter, at most a third of its letters; null where none is near. */
export function closestName(given: string, known: Iterable<string>): string | null {
  if (given.length > MAX_LENGTH) return null;
  const names = [...first(known, MAX_NAMES)].filter((name) => name.length <= MAX_LENGTH);
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

/** How many letters are added, left out, replaced or swapped with their neighbour (optimal string alignment). */
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
