/** The steps of a run, as a list with their times or on the canvas. Both show the same state. */
import { useEffect, useState } from "react";
import { announce } from "../elements/announced.tsx";
import { Button } from "../elements/controls/button.tsx";
import { SwitchButtons } from "../elements/controls/switch-buttons.tsx";
import { useStable } from "../elements/use-stable.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useSettings } from "../settings/use-settings.ts";
import { isForPage } from "../shortcuts/page-keys.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { useTexts } from "../texts/language.ts";
import { ComparisonNote } from "./compare/comparison-note.tsx";
import { failureText } from "./failure-text.ts";
import { failuresOf, nextFailure } from "./failures.ts";
import { hasEnded } from "./has-ended.ts";
import { RunCanvas } from "./run-canvas.tsx";
import { useShownRun } from "./run-context.ts";
import { RUN_SHORTCUTS } from "./run-shortcuts.ts";
import { showRow } from "./waterfall/show-row.ts";
import { Waterfall } from "./waterfall/waterfall.tsx";

const VIEWS = ["list", "canvas"] as const;

export function RunViews() {
  const { run: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:read");
  const { live, definition, params, setParams } = useShownRun();
  const hasNoCanvas = definition.steps === null && !definition.isLoading;
  const view = params.get("view") === "canvas" && !hasNoCanvas ? "canvas" : "list";
  const [isFollowing, setFollowing] = useState(true);
  const isOpen = !hasEnded(live.run.status);
  return (
    <section className="run-views" aria-label={texts.views} data-live={live.live}>
      <div className="run-toolbar">
        <SwitchButtons
          label={texts.views}
          buttons={VIEWS.map((name) => ({
            name,
            label: texts[name],
            isDisabled: name === "canvas" && hasNoCanvas,
          }))}
          chosen={view}
          onChoose={(name) => setParams({ view: name === "list" ? null : name }, { replace: true })}
        />
        <Failures />
        {live.live === "offline" ? <span className="run-lost">{texts.lost}</span> : null}
        {isOpen ? (
          <label className="run-follow" title={texts.followText}>
            <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
            {texts.follow}
          </label>
        ) : null}
      </div>
      <ComparisonNote />
      {hasNoCanvas ? <p className="run-note">{refusal ?? texts.noDefinition}</p> : null}
      {view === "canvas" ? (
        <RunCanvas />
      ) : (
        <Waterfall isFollowing={isOpen && isFollowing} onScrollAway={() => setFollowing(false)} />
      )}
    </section>
  );
}

/** How many failures there are, and jumps between them. Also `n` and `p`, where no text is typed. */
function Failures() {
  const { run: texts } = useTexts();
  const { live, chosen, at, choose } = useShownRun();
  const { hasShortcuts } = useSettings();
  const { run } = live;
  const count = failuresOf(run).length;
  const jump = useStable((isBack: boolean) => {
    const found = nextFailure(run, { step: chosen, at }, isBack);
    if (found === null) return;
    choose(found.step, found.at, "error");
    // Arrows go on from the step that has the focus.
    const around = document.activeElement?.closest(".waterfall ol, .run-canvas");
    around?.querySelector<HTMLElement>(`[data-step="${CSS.escape(found.step)}"]`)?.focus({ preventScroll: true });
    showRow(found.step);
    announce(failureText(texts, run, found));
  });
  useEffect(() => {
    if (!hasShortcuts || count === 0) return undefined;
    const listen = (event: KeyboardEvent) => {
      const action = actionOf(RUN_SHORTCUTS, event, hasShortcuts);
      if (!isForPage(event) || (action !== "nextFailure" && action !== "previousFailure")) return;
      jump(action === "previousFailure");
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [hasShortcuts, count, jump]);
  if (count === 0) return null;
  return (
    <span className="run-failures">
      <span className="count">{texts.failures(count)}</span>
      {count > 1 ? (
        <Button kind="quiet" icon="chevronLeft" onClick={() => jump(true)} aria-keyshortcuts="p">
          <span className="word">{texts.previousFailure}</span>
        </Button>
      ) : null}
      <Button kind="quiet" icon="chevronRight" onClick={() => jump(false)} aria-keyshortcuts="n">
        {texts.nextFailure}
      </Button>
    </span>
  );
}
