/**
 * Finds operations by what people call them, the best fit first. Pure.
 *
 * Each word of the search adds how much it says about an operation. Operations that lack a word are left out, unless no
 * operation has all of them.
 */
import { type Operation, operationsOf, perDocument } from "../document.ts";
import { wordsOfAll } from "./operation-words.ts";
import { synonymsOf, tellingWords, wordsWithSynonyms } from "./synonyms.ts";
import { isOneEdit, partsOf, stemOf, wordsIn } from "./words.ts";

/** The operations of a document, and who has which words. */
export interface OperationIndex {
  readonly operations: readonly Operation[];
  /** By word: how much it says about each operation, by index. */
  readonly words: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** How much a word counts that means the same as what was typed, only begins with it, or was mistyped. */
const SYNONYM = 0.8;
const BEGINNING = 0.6;
const MISTYPED = 0.5;

/** For a summary that begins with one of the words as it was typed: it is what the operation does. */
const VERB_BONUS = 3;

/** Who only types what something is called looks for what can be done with it, and first for all of it. */
const GROUP_BONUS = 2;
const LIST_BONUS = 0.5;

/** For an id that has no other words. */
const NAME_BONUS = 4;

/** The search is the id of an operation. */
const ID_BONUS = 100;

/** Shorter words have too many neighbors. */
const MIN_MISTYPED_LENGTH = 5;

export const indexOf = perDocument((document): OperationIndex => {
  const operations = operationsOf(document);
  const words = new Map<string, Map<number, number>>();
  wordsOfAll(document, operations).forEach((weights, index) => {
    for (const [word, weight] of weights) {
      const owners = words.get(word) ?? new Map<number, number>();
      words.set(word, owners.set(index, weight));
    }
  });
  return { operations, words };
});

/** Equal fits keep their order. An empty search finds all operations. */
export function findOperations(index: OperationIndex, search: string): readonly Operation[] {
  const { operations } = index;
  if (search.trim() === "") return operations;
  const words = searchedWords(index, search);
  const fits = operations.map((operation, at) => ({
    operation,
    count: words.filter(({ weights }) => weights.has(at)).length,
    fit: sum(words.map(({ weights }) => weights.get(at) ?? 0)) + bonusOf(operation, search, words),
  }));
  const hasAll = fits.some(({ count }) => count === words.length);
  return fits
    .filter(({ count }) => count > 0 && (count === words.length || !hasAll))
    .sort((one, other) => other.fit - one.fit)
    .map(({ operation }) => operation);
}

interface SearchedWord {
  /** The word, or those for which it was mistyped. */
  readonly typed: ReadonlySet<string>;
  /** They, and others for the same thing. */
  readonly forms: ReadonlySet<string>;
  /** How much it says about each operation that has it, by index. */
  readonly weights: ReadonlyMap<number, number>;
}

/** Words that no operation has are left out. */
function searchedWords(index: OperationIndex, search: string): readonly SearchedWord[] {
  return tellingWords(wordsIn(search).map(stemOf)).flatMap((word) => {
    const whole = searchedWord(index, word);
    const parts = partsOf(word);
    const found =
      whole.weights.size > 0 || parts.length === 0
        ? [whole]
        : tellingWords(parts.map(stemOf)).map((part) => searchedWord(index, part));
    return found
      .map((one) => (one.weights.size > 0 ? one : mistypedWord(index, one)))
      .filter(({ weights }) => weights.size > 0);
  });
}

function searchedWord({ words }: OperationIndex, word: string): SearchedWord {
  const synonyms = synonymsOf(word);
  const weights = new Map(words.get(word));
  for (const synonym of synonyms) addWeights(weights, words.get(synonym), SYNONYM);
  for (const [known, owners] of words) if (known.startsWith(word)) addWeights(weights, owners, BEGINNING);
  return { typed: new Set([word]), forms: new Set([word, ...synonyms]), weights };
}

function mistypedWord(index: OperationIndex, word: SearchedWord): SearchedWord {
  const [typed = ""] = word.typed;
  if (typed.length < MIN_MISTYPED_LENGTH) return word;
  const near = new Set([...index.words.keys(), ...wordsWithSynonyms()].filter((known) => isOneEdit(typed, known)));
  const found = [...near].map((known) => searchedWord(index, known));
  const weights = new Map<number, number>();
  for (const one of found) addWeights(weights, one.weights, MISTYPED);
  return { typed: near, forms: new Set(found.flatMap(({ forms }) => [...forms])), weights };
}

function addWeights(to: Map<number, number>, from: ReadonlyMap<number, number> | undefined, factor: number): void {
  for (const [at, weight] of from ?? []) to.set(at, Math.max(to.get(at) ?? 0, weight * factor));
}

/** What the words of a search say together. */
function bonusOf({ operationId, summary = "" }: Operation, search: string, words: readonly SearchedWord[]): number {
  const isSearched = (word: string) => words.some(({ forms }) => forms.has(stemOf(word)));
  const [verb = ""] = wordsIn(summary);
  const [group = "", name] = operationId.split(".");
  const isOnlyGroup = words.every(({ typed }) => typed.has(stemOf(group)));
  const parts = partsOf(operationId);
  return (
    (operationId.toLowerCase() === search.trim().toLowerCase() ? ID_BONUS : 0) +
    // "runs" are no verb.
    (wordsIn(search).includes(verb) ? VERB_BONUS : 0) +
    (isOnlyGroup ? GROUP_BONUS + (name === "list" ? LIST_BONUS : 0) : 0) +
    // Of two operations with the words, the one that has fewer others is meant: "list runs" is runs.list.
    (NAME_BONUS * parts.filter(isSearched).length) / parts.length
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
