/** Lists as pages: what a list takes, what it gives, and how text is folded for a search. */
import * as v from "valibot";
import { list } from "../schema.ts";

/** Most items that a page can have. */
export const MAX_TAKE = 1_000;

/** Says that a parameter came several times where it may come once. */
const once = (message: string) => (issue: v.BaseIssue<unknown>) =>
  Array.isArray(issue.input) ? `Must be given once, not ${issue.input.length} times.` : message;

/** A whole number in a query: as a number, or as the digits that an address carries. */
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

/** True or false in a query: as a boolean, or spelt. */
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
 * Several values in a query. `tags=a&tags=b`, `tags[]=a` and `tags=a,b` are the same: the first two reach this as an
 * array, the last as one text.
 */
export function multipleValues<const Item extends v.GenericSchema<string, unknown>>(item: Item, max: number) {
  const one = v.pipe(
    v.string(),
    v.transform((text) => (text === "" ? [] : text.split(","))),
  );
  const many = v.pipe(
    list(v.string()),
    v.transform((texts) => texts.flatMap((text) => (text === "" ? [] : text.split(",")))),
  );
  return v.pipe(v.union([many, one]), v.maxLength(max, `Must have at most ${max} values.`), list(item));
}

/** The fields that every list takes. Default: page 1, take 100. */
export const pageQuery = {
  page: v.optional(wholeNumber(1, 1_000_000), 1),
  take: v.optional(wholeNumber(1, MAX_TAKE), 100),
} as const;

/** For lists that also search. */
export const searchQuery = {
  search: v.optional(
    v.pipe(v.string(once("Must be a string.")), v.maxLength(1_024, "Must have at most 1024 characters.")),
  ),
} as const;

/** For lists that grow without end: goes on behind the page that gave the token, whatever came in between. */
export const tokenQuery = {
  page_token: v.optional(
    v.pipe(
      v.string(once("Must be a string.")),
      v.maxLength(256, "Must have at most 256 characters."),
      v.regex(/^[a-z]+_\w+(:[\x21-\x7e]+)?$/, "Must be the next page token of the previous page."),
    ),
  ),
} as const;

/** A page of a list, newest first. Over HTTP the items are the body, the rest are headers. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly take: number;
  /** Whether a further page has items. */
  readonly more: boolean;
  /** Items of all pages; absent when there is a search. */
  readonly total?: number;
  /** For `page_token`, on lists that take it, when there is more. */
  readonly next_page_token?: string;
}

/** Text as a search sees it: without case and accents, white space runs as one space. */
export function foldText(text: string): string {
  return text
    .replace(/\p{M}+/gu, "") // before they are brought into order, which takes quadratic time
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
