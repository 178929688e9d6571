/** Who writes a record. */
import * as v from "valibot";
import { actingUser, type Caller, nestingOf } from "../../calls/caller.ts";
import { omitUndefined } from "../../json.ts";

const user = {
  /** Id of the acting user. Absent if the caller named none. */
  user_id: v.exactOptional(v.string()),
} as const;

export const Author = v.variant("type", [
  v.object({
    /** A caller over HTTP. */
    type: v.literal("key"),
    /** The API key. */
    key_id: v.string(),
    ...user,
  }),
  v.object({
    /** A step of a run. */
    type: v.literal("step"),
    /** Run that the step belongs to. */
    run_id: v.string(),
    /** Key of the step. */
    step_key: v.string(),
    /** Key of the rule of this record that the run executed, or null. */
    rule_key: v.nullable(v.string()),
  }),
  v.object({
    /** A trigger of the collection. */
    type: v.literal("trigger"),
    /** The trigger. */
    trigger_id: v.string(),
    /** Delivery of the event. */
    delivery_id: v.string(),
  }),
  v.object({
    /** A person in a session of the console without a key. */
    type: v.literal("console"),
    ...user,
  }),
  v.object({
    /** The host. */
    type: v.literal("in_process"),
    ...user,
  }),
]);
/** Who changed a record: an API key, a step of a run, a trigger, a person in the console, or the host. */
export type Author = v.InferOutput<typeof Author>;

export const Writer = v.object({
  author: Author,
  nesting: v.object({ depth: v.number(), root_run_id: v.nullable(v.string()) }),
});
/** Who writes, and where the runs are nested that the write causes. */
export type Writer = v.InferOutput<typeof Writer>;

export function writerOf(caller: Caller): Writer {
  return { author: authorOf(caller), nesting: nestingOf(caller) };
}

function authorOf(caller: Caller): Author {
  const user = omitUndefined({ user_id: actingUser(caller)?.id });
  if (caller.kind === "key") return { type: "key", key_id: caller.id, ...user };
  if (caller.kind === "session") return { type: "console", ...user };
  if (caller.kind !== "host" || caller.step === undefined) return { type: "in_process", ...user };
  return { type: "step", ...caller.step, rule_key: null };
}
