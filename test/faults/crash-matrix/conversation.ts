/** What the model says: answers that call tools together, one that is large, and an end. */
import { setTimeout as pause } from "node:timers/promises";
import type { Asked, Said } from "../../support/servers/model-server.ts";

/** The name of the tool that is a workflow. */
export const LEAF = "leaf";
const DELAY = 3;

const touch = (id: string, what: string) => ({ id, name: "world_touch", input: { what } });
const ROUNDS: readonly Said[] = [
  { text: "Two at once.", calls: [touch("a", "one"), touch("b", "two")] },
  { calls: [{ id: "c", name: LEAF, input: { n: 3 } }, touch("d", "three"), touch("e", "four")] },
  { text: "x".repeat(20_000), calls: [touch("f", "five"), { id: "g", name: "nothing", input: {} }] },
];

/** Goes on by what it was told, as models do: a process that comes later gets the same answers. */
export function conversation({ body }: Asked): Said {
  const rounds = (body.messages ?? []).filter(({ role }) => role === "assistant").length;
  return { ...(ROUNDS[rounds] ?? { text: "done" }), when: pause(DELAY) };
}
