/**
 * Finds operations by what people call them, the best fit first. Pure.
 *
 * Each word of the search adds how much it says about an operation. Operations that lack a word are left out, unless no
 * operation has all of them.
 */
import type { OpenApiDocument, Operation } from "../document.ts";
import { knownWords, meantWords, otherWordsFor } from "./meant-words.ts";
import { wordsOfAll } from "./operation-words.ts";
import { isOneEdit, partsOf, stemOf, wordsIn } from "./words.ts";

/** The operations of a document, and who has which words. */
export interface OperationIndex {
  readonly operations: readonly Operation[];
  /** By word: how much it says about each operation, by index. */
  readonly words: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** How much a word counts that only begins with what was typed, or that was mistyped. */
const BEGINNING = 0.6;
const MISTYPED = 0.5;

/** For a summary that begins with one of the words: it is what the operation does. */
const VERB_BONUS = 4;

/** The search is the id of an operation. */
const ID_BONUS = 100;

/** Shorter words have too many neighbors. */
const MIN_MISTYPED_LENGTH = 5;

export function indexOperations(document: OpenApiDocument, operations: readonly Operation[]): OperationIndex {
  const words = new Map<string, Map<number, number>>();
  wordsOfAll(document, operations).forEach((weights, index) => {
    for (const [word, weight] of weights) {
      const owners = words.get(word) ?? new Map<number, number>();
      words.set(word, owners.set(index, weight));
    }
  });
  return { operations, words };
}

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
  /** The word and others for the same thing. */
  readonly forms: ReadonlySet<string>;
  /** How much it says about each operation that has it, by index. */
  readonly weights: ReadonlyMap<number, number>;
}

/** Words that no operation has are left out. */
function searchedWords(index: OperationIndex, search: string): readonly SearchedWord[] {
  return meantWords(wordsIn(search).map(stemOf)).flatMap((word) => {
    const whole = searchedWord(index, word);
    const parts = partsOf(word);
    const found =
      whole.weights.size > 0 || parts.length === 0
        ? [whole]
        : meantWords(parts.map(stemOf)).map((part) => searchedWord(index, part));
    return found
      .map((one) => (one.weights.size > 0 ? one : mistypedWord(index, one)))
      .filter(({ weights }) => weights.size > 0);
  });
}

function searchedWord({ words }: OperationIndex, word: string): SearchedWord {
  const forms = new Set([word, ...otherWordsFor(word)]);
  const weights = new Map<number, number>();
  for (const form of forms) addWeights(weights, words.get(form), 1);
  for (const [known, owners] of words) if (known.startsWith(word)) addWeights(weights, owners, BEGINNING);
  return { forms, weights };
}

function mistypedWord(index: OperationIndex, { forms }: SearchedWord): SearchedWord {
  const [word = ""] = forms;
  const weights = new Map<number, number>();
  if (word.length < MIN_MISTYPED_LENGTH) return { forms, weights };
  const meant = [...index.words.keys(), ...knownWords()].filter((known) => isOneEdit(word, known));
  const found = meant.map((known) => searchedWord(index, known));
  for (const one of found) addWeights(weights, one.weights, MISTYPED);
  return { forms: new Set(found.flatMap((one) => [...one.forms])), weights };
}

function addWeights(to: Map<number, number>, from: ReadonlyMap<number, number> | undefined, factor: number): void {
  for (const [at, weight] of from ?? []) to.set(at, Math.max(to.get(at) ?? 0, weight * factor));
}

/** What the words of a search say together. */
function bonusOf({ operationId, summary = "" }: Operation, search: string, words: readonly SearchedWord[]): number {
  const isSearched = (word: string) => words.some(({ forms }) => forms.has(stemOf(word)));
  const [verb = ""] = wordsIn(summary);
  const named = partsOf(operationId);
  return (
    (operationId.toLowerCase() === search.trim().toLowerCase() ? ID_BONUS : 0) +
    (isSearched(verb) ? VERB_BONUS : 0) +
    // Of two operations with the words, the one that has fewer others is meant: "list runs" is runs.list.
    named.filter(isSearched).length / named.length
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
