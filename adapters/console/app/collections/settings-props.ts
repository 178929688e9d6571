/** What the sections of the settings of a collection get. */
import type { Collection } from "../../../../src/collections/collection.ts";

export interface SettingsProps {
  readonly appId: string;
  readonly collection: Collection;
  /** Reads the collection again. */
  readonly onChanged: () => void;
}
