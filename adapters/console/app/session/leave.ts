/** Ends the session, and forgets what the page has kept of it. */
import { dropAllValues } from "../forms/kept-values.ts";
import { queryClient } from "../server/query-client.ts";
import { forgetKeptData } from "./kept-data.ts";
import { type SessionAnswer, signOut } from "./session.ts";

export async function leave(onSession: (answer: SessionAnswer) => void): Promise<void> {
  const answer = await signOut();
  await forgetKeptData();
  queryClient.clear();
  dropAllValues();
  onSession(answer);
}
