/** The responses of the model: several tool calls at once, a large text, and an end. */
import { setTimeout as pause } from "node:timers/promises";
import type { ReceivedRequest, ScriptedReply } from "../../support/servers/model-server.ts";

/** The name of the tool that is a workflow. */
export const LEAF = "leaf";
const DELAY_MS = 3;

const touch = (id: string, what: string) => ({ id, name: "world_touch", input: { what } });
const ROUNDS: readonly ScriptedReply[] = [
  { text: "Two at once.", calls: [touch("a", "one"), touch("b", "two")] },
  { calls: [{ id: "c", name: LEAF, input: { n: 3 } }, touch("d", "three"), touch("e", "four")] },
  { text: "x".repeat(20_000), calls: [touch("f", "five"), { id: "g", name: "nothing", input: {} }] },
];

/** Responds by the conversation so far, as models do, so that a later process gets the same responses. */
export function conversation({ body }: ReceivedRequest): ScriptedReply {
  const rounds = (body.messages ?? []).filter(({ role }) => role === "assistant").length;
  return { ...(ROUNDS[rounds] ?? { text: "done" }), when: pause(DELAY_MS) };
}
