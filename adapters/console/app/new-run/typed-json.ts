/** The input as JSON that a person types. While it is wrong, the form has other values than the text says. */
import { useState } from "react";
import { type JsonEntryProblem, readJsonEntry } from "../../../../src/forms/model/json-entry.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../../../src/json.ts";
import { visibleJson } from "../elements/values/visible-text.ts";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";

export interface TypedJson {
  readonly text: string;
  /** Why the text is no input; null if it is one. */
  readonly problem: JsonEntryProblem | null;
  /** How often a run was refused because of it: the field takes the focus each time. */
  readonly refusals: number;
  readonly change: (text: string) => void;
  /** The text follows the form again, unless it is wrong. */
  readonly leave: () => void;
  /** The text follows the form again. */
  readonly undo: () => void;
  readonly refuse: () => void;
}

/**
 * While a person writes, the text stays as it is; then it follows the form again.
 * @param shown The values of the form.
 * @param fill Fills the form with what was typed.
 */
export function useTypedJson(shown: JsonValue, fill: (input: JsonObject) => void): TypedJson {
  const [typed, setTyped] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);
  const read = typed === null ? null : readInput(typed);
  const problem = read !== null && "problem" in read ? read.problem : null;
  useLeaveGuard(() => problem !== null);
  return {
    text: typed ?? visibleJson(JSON.stringify(shown, null, 2)),
    problem,
    refusals,
    change(text) {
      setTyped(text);
      const next = readInput(text);
      if ("input" in next) fill(next.input);
    },
    leave() {
      if (problem === null) setTyped(null);
    },
    undo: () => setTyped(null),
    refuse: () => setRefusals((count) => count + 1),
  };
}

function readInput(text: string): { readonly input: JsonObject } | { readonly problem: JsonEntryProblem } {
  if (text.trim() === "") return { input: {} };
  const read = readJsonEntry(text);
  if ("problem" in read) return read;
  return isRecord(read.value) ? { input: read.value as JsonObject } : { problem: "json" }; // parsed JSON
}
