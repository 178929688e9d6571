/** Reads a list page by page. */

import { MEBIBYTE } from "../../encoding/bytes.ts";
import { approximateJsonSize, type JsonValue } from "../../json.ts";
import { ActionError } from "../action-error.ts";
import type { PaginateInput } from "./input.ts";
import { firstPage, itemsIn, nextPage } from "./next-page.ts";
import type { OAuthTokens } from "./oauth-tokens.ts";
import { readResponse } from "./read-response.ts";
import { type Connected, checkOrigin, outgoingRequest, sendRequest } from "./send-request.ts";

/** The output of a step has at most so many bytes. */
const MAX_BYTES = 10 * MEBIBYTE;

interface Parts {
  readonly tokens: OAuthTokens;
  readonly context: Connected;
  /** Milliseconds since 1970. */
  now(): number;
  /** Called between the parts of long JSON. */
  pause(): Promise<void>;
}

export interface Pages {
  readonly items: readonly JsonValue[];
  /** Number of pages that were read. */
  readonly pages: number;
  /** Whether a limit ended the list. */
  readonly has_more: boolean;
}

/** @throws ActionError `invalid_response`, `output_limit`, and as {@link readResponse} */
export async function readPages(input: PaginateInput, { tokens, context, now, pause }: Parts): Promise<Pages> {
  const { next, max_pages, max_items } = input;
  const first = await outgoingRequest(input, context, MAX_BYTES);
  const items: JsonValue[] = [];
  let leftBytes = MAX_BYTES;
  let url = firstPage(first.url, next);
  for (let index = 0; ; index++) {
    const sent = await sendRequest({ ...first, url }, context, tokens);
    const response = await readResponse(sent, { format: "json", store: noFile, now, pause });
    const found = itemsIn(response, input.items);
    const taken = found.slice(0, max_items - items.length);
    leftBytes -= approximateJsonSize(taken, leftBytes);
    if (leftBytes <= 0) throw tooManyBytes(index + 1);
    for (const item of taken) items.push(item);

    const following = await nextPage({ url, response, items: found, index, itemsSoFar: items.length }, next);
    const pages = index + 1;
    const isCut = taken.length < found.length;
    if (following === null || isCut) return { items, pages, has_more: isCut };
    if (pages >= max_pages || items.length >= max_items) return { items, pages, has_more: true };
    if (following.href === url.href) throw samePage(pages);
    checkFollowing(following, first.url, context);
    url = following;
  }
}

/** Headers of the step may be credentials, too: without a connection, pages must stay at the first one's origin. */
function checkFollowing(following: URL, first: URL, { connection }: Connected): void {
  if (connection !== undefined) checkOrigin(following, connection);
  else if (following.origin !== first.origin) throw elsewhere(following, first);
}

function elsewhere(following: URL, first: URL): ActionError {
  const message = `The next page is at ${following.origin}, but the list is at ${first.origin}. Use a connection that allows both.`;
  return new ActionError("address_refused", message);
}

function samePage(pages: number): ActionError {
  return new ActionError("invalid_response", `The response to page ${pages} names the same page as the next one.`);
}

function tooManyBytes(pages: number): ActionError {
  const message = `The items of ${pages} ${pages === 1 ? "page" : "pages"} exceed ${MAX_BYTES} bytes. Set max_items or max_pages.`;
  return new ActionError("output_limit", message);
}

async function noFile(): Promise<never> {
  throw new ActionError("invalid_response", "Each page must be JSON.");
}
