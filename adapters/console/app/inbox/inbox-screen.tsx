/** Input steps that wait for people: the list, and beside it the form of the chosen one. */
import { useEffect } from "react";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { useNarrow } from "../elements/media-queries.ts";
import { PageHead } from "../elements/page-head.tsx";
import { navigate, placeNow } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { IdsForNames } from "../runs/ids-for-names.tsx";
import { useSettings } from "../settings/use-settings.ts";
import { isForPage } from "../shortcuts/page-keys.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { useTexts } from "../texts/language.ts";
import { InboxEntry } from "./inbox-entry.tsx";
import { InboxList } from "./inbox-list.tsx";
import { INBOX_SHORTCUTS } from "./inbox-shortcuts.ts";
import { pathOf, useInbox, type WaitingEntry } from "./waiting-entries.ts";
import "./inbox.css";

export default function InboxScreen({ params: { app = "", run, step } }: ScreenProps) {
  const { inbox } = useTexts();
  const { list, entries } = useInbox(app);
  const chosen = run === undefined || step === undefined ? null : { runId: run, stepKey: step };
  useFirstOpened(app, entries, chosen);
  useListKeys(app, entries, chosen);
  return (
    <div className={chosen === null ? "inbox" : "inbox with-entry"}>
      <PageHead title={inbox.title} below={inbox.below} />
      <IdsForNames />
      <div className="inbox-columns">
        <div className="inbox-list">
          <ListStates list={list} empty={<Nothing />}>
            {() => <InboxList appId={app} entries={entries} chosen={chosen} />}
          </ListStates>
        </div>
        <div className="inbox-entry">
          {chosen === null ? (
            entries.length > 0 && <p className="hint about-keys">{inbox.choose}</p>
          ) : (
            <InboxEntry
              key={`${chosen.runId} ${chosen.stepKey}`}
              appId={app}
              {...chosen}
              next={nextOf(entries, chosen)}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function Nothing() {
  const { inbox } = useTexts();
  return (
    <EmptyState title={inbox.empty}>
      <p>{inbox.emptyText}</p>
    </EmptyState>
  );
}

interface Chosen {
  readonly runId: string;
  readonly stepKey: string;
}

const isAt = (chosen: Chosen | null) => (entry: WaitingEntry) =>
  entry.run.run_id === chosen?.runId && entry.input.step_key === chosen.stepKey;

/** The entry behind the chosen one, else the first other one. */
function nextOf(entries: readonly WaitingEntry[], chosen: Chosen): WaitingEntry | null {
  const others = entries.slice(entries.findIndex(isAt(chosen)) + 1);
  return others[0] ?? entries.find((entry) => !isAt(chosen)(entry)) ?? null;
}

/** Where there is room for the list and a form, the first entry is open. */
function useFirstOpened(appId: string, entries: readonly WaitingEntry[], chosen: Chosen | null): void {
  const isNarrow = useNarrow();
  const [first] = entries;
  // The screen shows the new place only after a while, so only another path may lead there again.
  const path = chosen !== null || first === undefined ? null : pathOf(appId, first);
  useEffect(() => {
    if (!isNarrow && path !== null) navigate(path, { replace: true });
  }, [isNarrow, path]);
}

/** j and k go through the list, and Enter leads to the form. They are letters, so they can be turned off. */
function useListKeys(appId: string, entries: readonly WaitingEntry[], chosen: Chosen | null): void {
  const { hasShortcuts } = useSettings();
  useEffect(() => {
    if (!hasShortcuts) return undefined;
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (!isForPage(event)) return;
      const action = actionOf(INBOX_SHORTCUTS, event, hasShortcuts);
      if (action === "fill") {
        const isControl = target instanceof Element && target.closest("a, button, summary") !== null;
        const isInList = target instanceof Element && target.closest(".inbox-list") !== null;
        if (chosen === null || (isControl && !isInList)) return;
        const control = document.querySelector<HTMLElement>(
          ".inbox-entry form :is(input:not([hidden]), select, textarea)",
        );
        if (control === null) return;
        event.preventDefault();
        control.focus();
        return;
      }
      if (action !== "next" && action !== "previous") return;
      // Keys may follow each other faster than the screen.
      const open = entries.findIndex((entry) => pathOf(appId, entry) === placeNow().path);
      const links = [...document.querySelectorAll<HTMLElement>(".inbox-list nav a")];
      // When somebody else has answered the open one, the focus is at another.
      const at = open === -1 && target instanceof HTMLElement ? links.indexOf(target) : open;
      const next = entries[at === -1 ? 0 : at + (action === "next" ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      links[entries.indexOf(next)]?.focus();
      navigate(pathOf(appId, next));
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [appId, entries, chosen, hasShortcuts]);
}
