/** Finds operations by what people call them. Pure. */
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

/** Each word must be in an operation, or one that means the same. Those that have the words themselves come first. */
export function findOperations(operations: readonly Operation[], search: string): readonly Operation[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const alike = words.map((word) => [word, ...SYNONYMS.filter((group) => group.includes(word)).flat()]);
  const found = operations.map((operation) => {
    const { operationId, method, path, summary = "", description = "" } = operation;
    const text = `${operationId} ${method} ${path} ${summary} ${description}`.toLowerCase();
    const isFound = alike.every((group) => group.some((word) => text.includes(word)));
    return { operation, isFound, exact: words.filter((word) => text.includes(word)).length };
  });
  return found
    .filter(({ isFound }) => isFound)
    .sort((one, other) => other.exact - one.exact)
    .map(({ operation }) => operation);
}
