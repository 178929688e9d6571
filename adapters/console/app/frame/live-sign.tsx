/** Whether what the page shows is up to date. */
import { POLLING_MS } from "../live/live-query.ts";
import { type LiveState, useLiveState } from "../live/live-state.ts";
import { type Format, useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";

export function LiveSign() {
  const { frame } = useTexts();
  const format = useFormat();
  const state = useLiveState();
  return (
    <span className={`live-sign ${state.kind}`} role="status">
      {wordOf(state, frame, format)}
    </span>
  );
}

function wordOf(state: LiveState, texts: Messages["frame"], format: Format): string {
  if (state.kind === "live") return texts.live;
  if (state.kind === "polling") return texts.liveEvery(POLLING_MS / 1_000);
  return state.kind === "offline" ? texts.offlineSince(format.timeOfDay(state.since)) : texts.connecting;
}
