/** The trigger type `loan_origination`: changes of loans in a loan-origination system. Uses only the public defineTrigger. */
import * as v from "valibot";
import { isRecord, type JsonValue } from "../../../json.ts";
import { fieldErrors, invalid } from "../../../messages/field-errors.ts";
import { jsonObject, strictObject } from "../../../schema.ts";
import { defineTrigger } from "../define-trigger.ts";
import type { TriggerEvent } from "../trigger-type.ts";

const id = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(1_024, "Must have at most 1024 characters."),
);
const name = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1024 characters."));

/** An event may have more fields, which mappings can use. */
const LoanEvent = v.object({ id, milestone: v.optional(name), folder: v.optional(name) });
const LoanEvents = v.object({ events: v.pipe(v.array(jsonObject), v.maxLength(100, "Must have at most 100 events.")) });

/**
 * The body of a request is an event `{ id, milestone?, folder?, … }`, or `{ events: […] }` with at most 100 of them. Mappings
 * read from the whole event.
 */
export const loanOrigination = defineTrigger({
  name: "loan_origination",
  title: "Loan origination",
  config: strictObject({}),
  receive(request) {
    const body = request.json();
    if (!isRecord(body) || body["events"] === undefined) return [eventOf(body, [])];
    const { events } = checked(LoanEvents, body, []);
    return events.map((event, index) => eventOf(event, ["events", index]));
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
