/** How commits store events for webhooks. */
import type { Change } from "../ports/store.ts";
import type { OriginalEvent } from "./describe-changes.ts";

export interface EventOutbox {
  /** Loads the webhooks. Returns undefined once they are loaded. @throws StepwellError `unavailable` if the storage fails */
  load(): Promise<void> | undefined;
  /**
   * Reads the webhooks of an app again if another process has changed them. Undefined if no other process uses the store.
   * @throws StepwellError `unavailable`
   */
  readonly refresh: ((appId: string) => Promise<void>) | undefined;
  /** Whether any webhook gets events of the app. */
  hasWebhooks(appId: string): boolean;
  /** Whether any webhook gets the event. @param parent Its collection or workflow. */
  hasSubscribers(appId: string, type: string, parent: string | null): boolean;
  /** The change that stores an event, for the commit that causes it. */
  changeFor(event: OriginalEvent): Change;
  /** Call this when events have been stored. */
  wake(): void;
}
