/** Keys of the inbox. */
import type { Shortcut } from "../shortcuts/shortcut-table.ts";

export type InboxAction = "next" | "previous" | "fill";

export const INBOX_SHORTCUTS: readonly Shortcut<InboxAction>[] = [
  { action: "next", keys: [], letters: ["j"] },
  { action: "previous", keys: [], letters: ["k"] },
  // It acts without a focus in the list, as the letters do.
  { action: "fill", keys: [], letters: ["Enter"] },
];
