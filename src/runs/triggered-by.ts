/** Names the caller that starts a run. Pure. */
import { actingUser, type Caller } from "../calls/caller.ts";
import { omitUndefined } from "../json.ts";
import type { RunTrigger } from "./run-labels.ts";

/** The trigger of a run that a caller starts. */
export function triggeredBy(caller: Caller, replayed?: string): RunTrigger {
  const { id: key_id, name: key_name } = caller.kind === "key" ? caller : {};
  const type = replayed === undefined ? through(caller) : "replay";
  return { type, ...omitUndefined({ id: replayed, key_id, key_name, user_id: actingUser(caller)?.id }) };
}

function through(caller: Caller): "mcp" | "console" | "api" {
  if (caller.kind === "key" && caller.through === "mcp") return "mcp";
  return "session" in caller ? "console" : "api";
}
