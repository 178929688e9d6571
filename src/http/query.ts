/** Parses a query into plain data: a string for each parameter, a list for repeated ones. */
import { StepwellError } from "../errors.ts";

const MAX_PARAMETERS = 256;
/** The format of API keys, which a URL would leak into logs and histories. */
const KEY = /sw_[0-9a-z]{26}_[0-9a-z]{40}/;

/**
 * `tags=a&tags=b` and `tags[]=a&tags[]=b` are the same list. The schema of the route decides whether a list is allowed.
 * @throws StepwellError `malformed` for an API key in the query, and for too many parameters
 */
export function readQuery(search: string): Record<string, string | readonly string[]> | undefined {
  if (search === "") return undefined;
  if (KEY.test(search)) {
    throw new StepwellError(
      "malformed",
      "An API key must not be part of the URL. Send it as Authorization: Bearer <API_KEY>.",
    );
  }
  const values = new Map<string, string | string[]>();
  let count = 0;
  for (const [given, value] of new URLSearchParams(search)) {
    if (++count > MAX_PARAMETERS) {
      throw new StepwellError("malformed", `The query must have at most ${MAX_PARAMETERS} parameters.`);
    }
    const listed = given.endsWith("[]");
    const name = listed ? given.slice(0, -2) : given;
    const before = values.get(name);
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) values.set(name, [before, value]);
    else values.set(name, listed ? [value] : value);
  }
  return Object.fromEntries(values);
}
