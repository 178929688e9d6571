/** Calls that wait: they end when their caller loses access, and then answer as a new request would. */
import type { Caller } from "../calls/caller.ts";
import { type WatchesKeys, watchCaller } from "../calls/watch-caller.ts";
import type { HasApps } from "./route.ts";

/** The slices that know when access ends. */
export interface HasWatches extends HasApps {
  readonly apps: HasApps["apps"] & {
    /** Aborts the controller when the app is deleted. Stops watching when the controller is aborted. */
    watch(appId: string, controller: AbortController): Promise<void>;
  };
  readonly keys: WatchesKeys;
}

/** A call that may wait longer than its caller has access. */
interface Waiting {
  /** The app in the path. */
  readonly appId: string | undefined;
  readonly caller: Caller;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** @throws StepwellError `unauthorized` if the key or session has ended */
  authenticate(): Promise<unknown>;
}

/**
 * Waits until `act` is done, or access ends.
 * @param act Gets a signal that aborts when the client disconnects, the key or session ends, or the app is deleted.
 * @throws StepwellError `unauthorized` or `not_found` if access has ended, whatever `act` returned
 */
export async function whilePermitted<T>(
  { apps, keys }: HasWatches,
  { appId, caller, disconnected, authenticate }: Waiting,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const leave = () => controller.abort(disconnected.reason);
  disconnected.addEventListener("abort", leave, { once: true });
  if (disconnected.aborted) leave();
  try {
    if (appId !== undefined) await apps.watch(appId, controller);
    await watchCaller(keys, caller, controller);
    return await act(controller.signal);
  } finally {
    disconnected.removeEventListener("abort", leave);
    controller.abort();
    await authenticate();
    if (appId !== undefined) await apps.get(appId);
  }
}
