/** A run: its head, its steps as a list with their times or on the canvas, and what is known of the chosen step. */
import { useCallback, useEffect, useMemo, useRef } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { Loading } from "../elements/loading.tsx";
import { useNarrow } from "../elements/media-queries.ts";
import { ScreenProblem } from "../elements/screen-problem.tsx";
import { useReach } from "../elements/use-reach.ts";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useComparison } from "./compare/use-comparison.ts";
import { failureOf } from "./failures.ts";
import { hasEnded } from "./has-ended.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { Announcer } from "./live/announcer.tsx";
import { useRun } from "./live/use-run.ts";
import { RunContext, type ShownRun } from "./run-context.ts";
import { RunHead } from "./run-head.tsx";
import { RunViews } from "./run-views.tsx";
import { useDefinition } from "./use-definition.ts";
import { useFocusAfterRetry } from "./use-focus-after-retry.ts";
import { showRowBesideFocus } from "./waterfall/show-row.ts";
import "./run.css";

export default function RunScreen({ params: { app = "", run: runId = "" } }: ScreenProps) {
  const live = useRun(app, runId);
  if (live.run === undefined)
    return live.error === null ? (
      <Loading />
    ) : (
      <ScreenProblem appId={app} section="runs" error={live.error} onRetry={live.reload} />
    );
  return <LoadedRun key={runId} appId={app} live={{ ...live, run: live.run }} />;
}

function LoadedRun({ appId, live }: Pick<ShownRun, "appId" | "live">) {
  const { run } = live;
  const [params, setParams] = useQueryParams();
  const { hasShortcuts } = useSettings();
  const definition = useDefinition(run);
  const comparison = useComparison(appId, run, params.get("compare"));
  const step = params.get("step");
  const at = params.get("at") === null ? null : Number(params.get("at"));
  const isNarrow = useNarrow();
  /** Whether somebody has chosen a step, or none, since the run was opened. */
  const hasChosen = useRef(false);
  const chosen = run.steps.some(({ key }) => key === step) ? step : null;
  const choose = useCallback<ShownRun["choose"]>(
    (key, item = null, tab) => {
      hasChosen.current = true;
      const isOpening = chosen === null && key !== null;
      setParams(
        { step: key, at: item === null ? null : String(item), ...omitUndefined({ tab }) },
        // On narrow screens, a step is a page of its own: "back" leads to the list.
        { replace: !(isNarrow && isOpening) },
      );
    },
    [setParams, chosen, isNarrow],
  );
  const room = useRef<HTMLDivElement>(null);
  const reach = useReach(room);
  const close = useCallback(() => {
    choose(null);
    if (chosen !== null) reach(chosen);
  }, [choose, chosen, reach]);
  const failure = useMemo(() => failureOf(run), [run]);
  useEffect(() => {
    // On narrow screens, a step hides the rest of the run.
    if (failure === null || step !== null || isNarrow || hasChosen.current) return;
    hasChosen.current = true;
    const { step: key, at: item } = failure;
    setParams({ step: key, at: item === null ? null : String(item), tab: "error" }, { replace: true });
    showRowBesideFocus(key);
  });
  // There is no step on the canvas until the definition is loaded.
  const hasView = params.get("view") !== "canvas" || !definition.isLoading;
  useEffect(() => {
    const named = chosen ?? failure?.step;
    // Who comes for a step goes on from there, not from the head of the run far above it.
    if (hasView && named !== undefined && !isNarrow && isAtTop()) reach(named);
  }, [hasView]);
  useFocusAfterRetry(hasEnded(run.status));
  const shown = useMemo(
    (): ShownRun => ({ appId, live, definition, comparison, chosen, at, choose, close, setParams, params }),
    [appId, live, definition, comparison, chosen, at, choose, close, setParams, params],
  );
  const isStepPage = isNarrow && chosen !== null;
  return (
    <RunContext value={shown}>
      <div ref={room} className={`run-screen ${chosen === null ? "" : "has-step"}`} data-shortcuts={hasShortcuts}>
        {isStepPage ? null : <RunHead />}
        <div className="run-body">
          {isStepPage ? null : <RunViews />}
          {isStepPage || !isNarrow ? <Inspector isNarrow={isNarrow} /> : null}
        </div>
        {/* What has happened before somebody came is no news. */}
        {live.isFresh ? <Announcer run={run} /> : null}
      </div>
    </RunContext>
  );
}

/** Whether the focus is where it is when a screen opens: nowhere, or on what names the screen. */
function isAtTop(): boolean {
  return document.activeElement?.matches("body, #content, #content h1") !== false;
}
