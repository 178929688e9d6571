/** Paginated lists: query parameters, pages, and text folding for search. */
import * as v from "valibot";
import { list } from "../schema.ts";

/** Maximum number of items on a page. */
export const MAX_TAKE = 1_000;

/** Rejects a parameter that occurs several times, or as a list. */
const once = (message: string) => (issue: v.BaseIssue<unknown>) => {
  if (!Array.isArray(issue.input)) return message;
  const { length } = issue.input;
  return length > 1 ? `Must appear only once, not ${length} times.` : "Must be one value. Write the name without [].";
};

/** A whole number in a query: a number, or its digits in a URL. */
export function wholeNumber(min: number, max: number) {
  const digits = v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, `Must be a whole number from ${min} to ${max}.`),
    v.transform(Number),
  );
  return v.pipe(
    v.union([v.number(), digits], once(`Must be a whole number from ${min} to ${max}.`)),
    v.integer(`Must be a whole number from ${min} to ${max}.`),
    v.minValue(min, `Must be at least ${min}.`),
    v.maxValue(max, `Must be at most ${max}.`),
  );
}

/** A boolean in a query: a boolean, or its name in a URL. */
export const flag = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((text) => text === "true"),
    ),
  ],
  once("Must be true or false."),
);

/**
 * Several values in a query. `tags=a&tags=b`, `tags[]=a` and `tags=a,b` are equivalent: the first two arrive as an
 * array, the last as a string.
 */
// @__NO_SIDE_EFFECTS__
export function multipleValues<const Item extends v.GenericSchema<string, unknown>>(item: Item, max: number) {
  const one = v.pipe(
    v.string(),
    v.transform((text): readonly string[] => (text === "" ? [] : text.split(","))),
  );
  const many = v.pipe(
    list(v.string()),
    v.transform((texts): readonly string[] => texts.flatMap((text) => (text === "" ? [] : text.split(",")))),
  );
  return v.pipe(v.union([many, one]), v.maxLength(max, `Must have at most ${max} values.`), list(item));
}

/** Query parameters of every list. Default: page 1, take 100. */
export const pageQuery = {
  page: v.optional(wholeNumber(1, 1_000_000), 1),
  take: v.optional(wholeNumber(1, MAX_TAKE), 100),
} as const;

/** Query parameters of lists with search. */
export const searchQuery = {
  search: v.optional(
    v.pipe(v.string(once("Must be a string.")), v.maxLength(1_024, "Must have at most 1024 characters.")),
  ),
} as const;

/**
 * Query parameters of lists that grow without limit. The token continues after the previous page, whatever was added
 * meanwhile.
 */
export const tokenQuery = {
  page_token: v.optional(
    v.pipe(
      v.string(once("Must be a string.")),
      v.maxLength(256, "Must have at most 256 characters."),
      v.regex(/^[a-z]+_\w+(:[\x21-\x7e]+)?$/, "Must be the next page token of the previous page."),
    ),
  ),
} as const;

/** A page of a list, newest first. Over HTTP, the items are the body and the other fields are headers. */
export interface Page<Item> {
  /** The items of this page. */
  readonly items: readonly Item[];
  /** Number of this page, from 1. */
  readonly page: number;
  /** Maximum number of items on a page, as requested. */
  readonly take: number;
  /** Whether there are more items after this page. */
  readonly more: boolean;
  /** Total number of items on all pages. Absent for searches. */
  readonly total?: number;
  /** Token for `page_token`. Present if the list supports it and there are more items. */
  readonly next_page_token?: string;
  /**
   * Whether the page is incomplete because Stepwell had read too many items or the page reached 16 MiB. The next page
   * continues after it. Present only if Stepwell had to read items to filter or sort them.
   */
  readonly incomplete?: boolean;
}

/** A page of items that are all in memory, in their order. */
export function pageOfItems<Item>(
  all: readonly Item[],
  { page, take }: { readonly page: number; readonly take: number },
): Page<Item> {
  const end = page * take;
  return { items: all.slice(end - take, end), page, take, more: all.length > end, total: all.length };
}

/** A NUL and halves of surrogate pairs, which some stores cannot keep or search. */
const NO_TEXT = /[\0\p{Cs}]/gu;

/**
 * Folds text for search: ignores case and accents, and collapses white space. Characters that are no text become U+FFFD, in
 * rows and searches alike, so that all stores find the same.
 */
export function foldText(text: string): string {
  return text
    .replace(/\p{M}+/gu, "") // before normalizing, which takes quadratic time to sort them
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(NO_TEXT, "\ufffd")
    .replace(/\s+/g, " ")
    .trim();
}
