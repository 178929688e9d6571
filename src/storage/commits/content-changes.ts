/** Changes that write the contents of another store, with the versions that they have there. */
import type { RowChange } from "../../ports/store.ts";
import type { ContentWrite } from "../../ports/store-contents.ts";
import { NO_ROWS } from "./document-rows.ts";
import type { PreparedChanges } from "./prepare-changes.ts";

export function contentChanges(writes: readonly ContentWrite[], derived: readonly RowChange[]): PreparedChanges {
  return { expectations: NO_ROWS, writes: writes.map((write) => ({ ...write, isNew: false })), derived };
}
