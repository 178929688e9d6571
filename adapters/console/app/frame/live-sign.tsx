/** Whether what the page shows is up to date. */
import { POLLING_MS } from "../live/live-query.ts";
import { useLiveState } from "../live/live-state.ts";
import { useLostSince } from "../server/connection.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

export function LiveSign() {
  const { frame } = useTexts();
  const format = useFormat();
  const state = useLiveState();
  const since = useLostSince();
  const words = {
    live: frame.live,
    polling: frame.liveEvery(POLLING_MS / 1_000),
    connecting: frame.connecting,
    offline: since === null ? frame.connecting : frame.offlineSince(format.timeOfDay(since)),
  };
  return (
    <span className={`live-sign ${state}`} role="status">
      {words[state]}
    </span>
  );
}
