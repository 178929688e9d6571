/**
 * A new text of an editor that nobody has typed in it: a change of somebody else, or an undo of the whole draft. What was typed
 * in the editor can still be undone, and only that. Pure.
 */
import { type EditorState, Transaction, type TransactionSpec } from "@codemirror/state";
import { listDifference } from "../versions/text-lines.ts";

export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** @returns Null if the editor has that text. */
export function outsideChange({ doc }: EditorState, text: string): TransactionSpec | null {
  const changes = textChanges(doc.toString(), withLineFeeds(text));
  return changes.length === 0 ? null : { changes, annotations: Transaction.addToHistory.of(false) };
}

/** As an editor holds a text: it knows one way to end a line. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Only what differs, so that the cursor, and what was typed elsewhere in the text, stay where they are. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  return differing(linesOf(before), linesOf(after), 0).flatMap(({ from, removed, added }) =>
    differing(wordsOf(removed), wordsOf(added), from).map(narrowed),
  );
}

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/);
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|\S/gu) ?? [];

interface Differing {
  readonly from: number;
  readonly removed: string;
  readonly added: string;
}

/** @param start Where the text begins. */
function differing(old: readonly string[], now: readonly string[], start: number): readonly Differing[] {
  const found: Differing[] = [];
  let from = start;
  let removed: string[] = [];
  let added: string[] = [];
  const close = () => {
    const one = { from, removed: removed.join(""), added: added.join("") };
    if (one.removed !== "" || one.added !== "") found.push(one);
    from += one.removed.length;
    removed = [];
    added = [];
  };
  for (const { kind, text } of listDifference(old, now)) {
    if (kind === "removed") removed.push(text);
    else if (kind === "added") added.push(text);
    else {
      close();
      from += text.length;
    }
  }
  close();
  return found;
}

/** Without the letters that both begin or end with. */
function narrowed({ from, removed, added }: Differing): TextChange {
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && removed[start] === added[start]) start++;
  let end = 0;
  while (end < shorter - start && removed.at(-1 - end) === added.at(-1 - end)) end++;
  return { from: from + start, to: from + removed.length - end, insert: added.slice(start, added.length - end) };
}
