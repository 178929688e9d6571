/** Takes over the query and the body of a call, and checks them. */
import type * as v from "valibot";
import type { Caller } from "../calls/caller.ts";
import { type OwnedJson, ownedJson, receivedJson } from "../encoding/json/owned-json.ts";
import { isRecord } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import { checkOwned, strictObject } from "../schema.ts";

/** What a caller passed. */
interface Arguments {
  readonly query?: unknown;
  readonly body?: unknown;
  readonly caller: Caller;
}

interface Given {
  readonly query: OwnedJson;
  readonly body: OwnedJson | undefined;
}

/** Takes over what was given, at once: a caller in process may change its object as soon as it is not waited for. */
export function takenOver({ query = {}, body, caller }: Arguments): Given {
  const owned = caller.kind === "host" ? ownedJson : receivedJson;
  return { query: owned(query), body: body === undefined ? undefined : owned(body) };
}

/** Rejects a query with both `page` and `page_token`, because either could be meant. */
export function queryOf<Q extends v.GenericSchema>(schema: Q, given: OwnedJson): v.InferOutput<Q> {
  const query = checkOwned(schema, given, "query");
  if (given.problem === null && isRecord(given.value) && "page" in given.value && "page_token" in given.value) {
    throw invalid([
      { pointer: "/page", message: "Must not be combined with page_token. Omit one of them.", in: "query" },
    ]);
  }
  return query;
}

/** A route without a body rejects one with content, so that senders notice that it has no effect. */
const NO_BODY = strictObject({});
const EMPTY_BODY = receivedJson({});

export function bodyOf<B extends v.GenericSchema>(
  schema: B | undefined,
  given: OwnedJson | undefined,
  caller: Caller,
  needsBody: boolean,
): v.InferOutput<B> | undefined {
  const whole = caller.kind === "host" ? "the argument" : "the body";
  if (needsBody && given === undefined) {
    const message = caller.kind === "host" ? "Is required." : "Is required, as JSON.";
    throw invalid([{ pointer: "", message }], whole);
  }
  if (schema !== undefined) return checkOwned(schema, given ?? EMPTY_BODY, undefined, whole);
  if (given !== undefined) checkOwned(NO_BODY, given, undefined, whole);
  return undefined;
}
