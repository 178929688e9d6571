/** Ends what outlasts the check of its caller. */
import type { Caller } from "./caller.ts";

/** Knows when keys end. */
export interface WatchesKeys {
  /** Aborts the controller when the key is revoked or expires. Stops watching when the controller is aborted. */
  watch(keyId: string, controller: AbortController): Promise<void>;
}

/** Aborts the controller when the key or the session of the caller ends. Stops watching when the controller is aborted. */
export async function watchCaller(keys: WatchesKeys, caller: Caller, controller: AbortController): Promise<void> {
  if (caller.kind === "key") await keys.watch(caller.id, controller);
  if ("session" in caller) await caller.session?.watch(controller);
}
