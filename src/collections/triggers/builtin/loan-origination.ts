/** The trigger type `loan_origination`: changes of loans in a loan-origination system. Uses only the public defineTrigger. */
import * as v from "valibot";
import { isRecord, type JsonValue } from "../../../json.ts";
import { fieldErrors, invalid } from "../../../messages/field-errors.ts";
import { jsonObject, strictObject, WRITE_ONLY } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import type { TriggerEvent } from "../trigger-type.ts";
import { fetchJson, PolledUrl, pollFailed } from "./fetch-json.ts";

const id = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
);
const name = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."));

/** An event may have more fields, which mappings can use. */
const LoanEvent = v.object({ id, milestone: v.optional(name), folder: v.optional(name) });
const eventList = (most: number) => v.pipe(v.array(jsonObject), v.maxLength(most, `Must have at most ${most} events.`));
const LoanEvents = v.object({ events: eventList(100) });

const LoanConnection = strictObject({
  /** URL that lists the changes of loans: `http:` or `https:`, at most 4,096 characters. */
  url: v.pipe(PolledUrl, v.title("URL"), v.description("URL that lists the changes of loans.")),
  /** Token that each request sends as `Authorization: Bearer`: at most 4,096 visible ASCII characters without spaces. */
  token: v.pipe(
    v.string(),
    v.regex(/^[\x21-\x7e]{1,4096}$/, "Must be 1 to 4096 visible ASCII characters without spaces."),
    v.title("Token"),
    v.description("Sent as Authorization: Bearer TOKEN."),
    WRITE_ONLY,
  ),
});

const LoanPage = v.object({
  /** Changes after the cursor of the request, oldest first. */
  events: eventList(1_000),
  /** Position after the last of these changes. */
  cursor: v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(4_096, "Must have at most 4096 characters."),
  ),
  /** Whether there are more changes after this position. */
  more: v.optional(v.boolean(), false),
});

/**
 * The body of a request is an event `{ id, milestone?, folder?, … }`, or `{ events: […] }` with at most 100 of them. With a
 * connection, the trigger also polls its URL with `?after=` and the cursor of the last response, which is
 * `{ events: […], cursor, more? }`. An event that is both sent and polled is handled once.
 */
export const loanOrigination = defineTrigger({
  name: "loan_origination",
  title: "Loan origination",
  config: strictObject({}),
  connection: LoanConnection,
  connectionOptional: true,
  receive(request) {
    const body = request.json();
    if (!isRecord(body) || body["events"] === undefined) return [eventOf(body, [])];
    const { events } = checked(LoanEvents, body, []);
    return events.map((event, index) => eventOf(event, ["events", index]));
  },
  async poll({ connection: { url, token }, cursor: last, ...context }) {
    const at = new URL(url);
    if (typeof last === "string") at.searchParams.set("after", last);
    const body = await fetchJson(at.href, { authorization: `Bearer ${token}` }, context);
    const page = v.safeParse(LoanPage, body);
    if (!page.success) throw invalidPage(fieldErrors(page.issues));
    const { events: found, cursor, more } = page.output;
    if (more && cursor === last) {
      throw pollFailed("The response announces more events but repeats the cursor of the request.");
    }
    const events = found.map((event, index) => {
      const { issues } = v.safeParse(LoanEvent, event);
      if (issues !== undefined) throw invalidPage(fieldErrors(issues, ["events", index]));
      return eventOf(event, []);
    });
    return { events, cursor, more };
  },
});

function eventOf(data: JsonValue, path: readonly (string | number)[]): TriggerEvent {
  return { ...checked(LoanEvent, data, path), data: checked(jsonObject, data, path) };
}

/** @throws StepwellError `invalid` */
function checked<const S extends v.GenericSchema>(
  schema: S,
  value: JsonValue,
  path: readonly (string | number)[],
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (!result.success) throw invalid(fieldErrors(result.issues, path), "the body");
  return result.output;
}

const invalidPage = (errors: Parameters<typeof invalid>[0]) =>
  pollFailed(`The response is invalid. ${invalid(errors, "the response").message}`);
