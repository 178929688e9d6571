import { type ApiKeyScope, type Caller, hasScope } from "../api/caller.ts";
import { StepwellError } from "../errors.ts";

/** Requires a scope beyond that of the route. @throws StepwellError `forbidden` */
export function requireScope(caller: Caller, scope: ApiKeyScope): void {
  if (!hasScope(caller, scope)) throw new StepwellError("forbidden", `The API key also needs the scope ${scope}.`);
}
