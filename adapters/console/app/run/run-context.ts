/** The run of the screen, and what of it is chosen. Everything that one would send to a colleague is in the address. */
import { createContext, useContext } from "react";
import type { Run } from "../../../../src/runs/run.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { NavigateOptions } from "../routing/location.ts";
import type { Comparison } from "./compare/use-comparison.ts";
import type { LiveRun } from "./live/use-run.ts";

export const TABS = ["input", "output", "error", "log", "timing", "items", "definition"] as const;
export type Tab = (typeof TABS)[number];

/** The steps of the version that the run executes. */
export interface RunDefinition {
  readonly steps: readonly Step[] | null;
  readonly byKey: ReadonlyMap<string, Step>;
  readonly isLoading: boolean;
}

export interface ShownRun {
  readonly appId: string;
  readonly live: LiveRun & { readonly run: Run };
  readonly definition: RunDefinition;
  readonly comparison: Comparison | null;
  /** Key of the chosen step. */
  readonly chosen: string | null;
  /** Index of the chosen item or repetition. */
  readonly at: number | null;
  readonly choose: (step: string | null, at?: number | null, tab?: Tab) => void;
  /** Chooses no step. The one that was chosen gets the focus in the list or on the canvas. */
  readonly close: () => void;
  readonly params: URLSearchParams;
  readonly setParams: (changes: Readonly<Record<string, string | null>>, options?: NavigateOptions) => void;
}

export const RunContext = createContext<ShownRun | null>(null);

/** Only below a run. */
export function useShownRun(): ShownRun {
  const shown = useContext(RunContext);
  if (shown === null) throw new Error("There is no run here.");
  return shown;
}
