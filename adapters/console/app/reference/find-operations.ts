/** Finds operations by what people call them, the best fit first. Pure. */
import type { Operation } from "./document.ts";

/** Words for the same thing, as the reference is in English. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["start", "run", "execute", "trigger"],
  ["delete", "remove"],
  ["get", "read", "fetch", "show"],
  ["list", "all", "find", "search"],
  ["create", "new", "add"],
  ["update", "change", "edit", "patch"],
  ["stop", "cancel", "abort"],
  ["key", "token"],
];

/** Where a summary says what is done with what, such as "List the runs". */
const CORE_WORDS = 3;

/** How well an operation fits a search: compared part by part, the larger the better. */
type Fit = readonly number[];

/** Each word must be in an operation, or one that means the same. Equal fits keep their order. */
export function findOperations(operations: readonly Operation[], search: string): readonly Operation[] {
  const groups = wordsOf(search, /\s+/).map((word) => [
    word,
    ...SYNONYMS.filter((group) => group.includes(word)).flat(),
  ]);
  return operations
    .flatMap((operation) => {
      const fit = fitOf(operation, groups);
      return fit === null ? [] : [{ operation, fit }];
    })
    .sort((one, other) => compare(other.fit, one.fit))
    .map(({ operation }) => operation);
}

/** Null if a word is missing. The name and the summary say what an operation is for; other texts mention much else. */
function fitOf(operation: Operation, groups: readonly (readonly string[])[]): Fit | null {
  const { operationId, method, path, summary = "", description = "" } = operation;
  const text = `${operationId} ${method} ${path} ${summary} ${description}`.toLowerCase();
  if (!groups.every((group) => group.some((word) => text.includes(word)))) return null;
  const said = wordsOf(summary, /[^\p{L}\p{N}]+/u);
  const names = [...wordsOf(`${operationId} ${method} ${path}`, /\s/), ...wordsOf(operationId, /\./)];
  const countIn = (place: readonly string[]) =>
    groups.filter((group) => group.some((word) => place.some((one) => one.startsWith(word)))).length;
  const [verb = ""] = said;
  return [
    countIn([...names, ...said]),
    countIn([...names, ...said.slice(0, CORE_WORDS)]),
    Number(groups.some((group) => group.includes(verb))),
  ];
}

const wordsOf = (text: string, gap: RegExp) =>
  text
    .toLowerCase()
    .split(gap)
    .filter((word) => word !== "");

function compare(one: Fit, other: Fit): number {
  const part = one.findIndex((value, index) => value !== other[index]);
  return part === -1 ? 0 : (one[part] ?? 0) - (other[part] ?? 0);
}
