/** Who a caller is for what it makes. */
import type { Author } from "./author.ts";
import { actingUser, type Caller } from "./caller.ts";

/** The user for whom a caller acts, else its API key. Undefined for the host, an admin and a session without a user. */
export const authorOf = (caller: Caller): Author | undefined =>
  actingUser(caller) ?? (caller.kind === "key" ? { id: caller.id, name: caller.name } : undefined);
