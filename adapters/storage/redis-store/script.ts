/** Lua scripts, which Redis executes one at a time, and which are sent by digest. */
import { createHash } from "node:crypto";
import type { RedisArgument, RedisCommands } from "../redis-client.ts";
import { replyText } from "./redis-errors.ts";

export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export function defineScript(lua: string): Script {
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

/**
 * Runs a script. Redis forgets scripts when it restarts; it then gets the text again.
 * @param key A key of the store. Scripts derive the others from it, which are all in one slot of a Redis Cluster.
 */
export async function runScript(
  commands: RedisCommands,
  { lua, sha }: Script,
  key: string,
  args: readonly RedisArgument[],
): Promise<unknown> {
  try {
    return await commands.text("EVALSHA", [sha, 1, key, ...args]);
  } catch (error) {
    if (!replyText(error).startsWith("NOSCRIPT")) throw error;
    return commands.text("EVAL", [lua, 1, key, ...args]);
  }
}

/** The items of an answer, which is a Lua table. */
export function itemsOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** The texts of an answer. Other items are left out. */
export function textsOf(answer: unknown): readonly string[] {
  return itemsOf(answer).filter((item) => typeof item === "string");
}
