/** What stores events for webhooks. */
import type { Change } from "../ports/store.ts";
import type { OriginalEvent } from "./describe-changes.ts";

export interface EventOutbox {
  /** Undefined once it knows who wants what. @throws StepwellError `unavailable` if the storage fails */
  load(): Promise<void> | undefined;
  /** Whether anybody wants events of the app. */
  hasAny(appId: string): boolean;
  /** Whether anybody wants the event. @param parent Its collection or workflow. */
  wants(appId: string, type: string, parent: string | null): boolean;
  /** The change that stores an event, for the commit that causes it. */
  changeFor(event: OriginalEvent): Change;
  /** Call this when events have been stored. */
  wake(): void;
}
