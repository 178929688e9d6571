/** Who has made something, as resources show it. */
import * as v from "valibot";
import { actingUser, type Caller } from "./caller.ts";

export const Author = v.object({
  /** Id of the acting user, else of the API key. */
  id: v.string(),
  /** Name of the acting user or of the API key; null for none. */
  name: v.nullable(v.string()),
});
export interface Author extends Readonly<v.InferOutput<typeof Author>> {}

/** The user for whom a caller acts, else its API key. Undefined for the host, an admin and a session without a user. */
export const authorOf = (caller: Caller): Author | undefined =>
  actingUser(caller) ?? (caller.kind === "key" ? { id: caller.id, name: caller.name } : undefined);
