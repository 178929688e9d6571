/** What the console needs of the slices of apps and keys. Types only. */
import type { VerifiedKey } from "../calls/identify-bearer.ts";

export interface ConsoleApps {
  /** @throws StepwellError `not_found` */
  get(appId: string): Promise<unknown>;
}

export interface ConsoleKeys {
  /** @throws StepwellError `not_found` */
  get(appId: string, keyId: string): Promise<VerifiedKey>;
}
