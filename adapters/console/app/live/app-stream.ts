/** Follows the stream of an app: one for the whole page, and none while it is hidden. */
import { isServerError, onResponse, streamClient } from "../server/client.ts";
import { onAppChanges, passOn } from "./changes.ts";
import { readAgain, startPolling } from "./live-query.ts";
import { liveState, setLiveState } from "./live-state.ts";
import { readChanged } from "./read-changed.ts";
import { applyRunChanges } from "./run-rows.ts";

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;
/** A server that refuses the stream will not change its mind soon. */
const REFUSED_PAUSE_MS = 60_000;

/** Keeps the page up to date until the returned function is called. */
export function followApp(appId: string): () => void {
  const stop = new AbortController();
  const endings = [
    startPolling(),
    onAppChanges((changes) => {
      applyRunChanges(appId, changes);
      readChanged(changes);
    }),
    onResponse(() => {
      if (liveState().kind === "offline") setLiveState({ kind: "polling" });
    }),
  ];
  setLiveState({ kind: "connecting" });
  void connect(appId, stop.signal);
  return () => {
    stop.abort();
    for (const end of endings) end();
  };
}

async function connect(appId: string, stop: AbortSignal): Promise<void> {
  let failures = 0;
  while (!stop.aborted) {
    await untilShown(stop);
    const outcome = await follow(appId, untilHidden(stop), () => {
      failures = 0;
    });
    if (stop.aborted) return;
    if (outcome === "hidden") setLiveState({ kind: "connecting" });
    else await pause(outcome === "refused" ? REFUSED_PAUSE_MS : pauseAfter(++failures), stop);
  }
}

type Outcome = "hidden" | "closed" | "refused" | "unreachable";

/** Resolves when the stream has ended, with the reason. */
async function follow(appId: string, signal: AbortSignal, onOpen: () => void): Promise<Outcome> {
  try {
    for await (const change of streamClient.apps.stream(appId, { signal })) {
      if (change.type === "stream.opened" || change.type === "stream.reset") {
        onOpen();
        setLiveState({ kind: "live" });
        readAgain();
      } else passOn(change);
    }
    return signal.aborted ? left() : closed();
  } catch (error) {
    if (signal.aborted) return left();
    const hasAnswer = isServerError(error) && error.cause === undefined;
    if (!hasAnswer || error.status >= 500) return unreachable();
    setLiveState({ kind: "polling" });
    return "refused";
  }
}

/** Somebody looks at another page, or the network is gone. */
const left = (): Outcome => (document.hidden || navigator.onLine ? "hidden" : unreachable());

function closed(): Outcome {
  setLiveState({ kind: "connecting" });
  return "closed";
}

function unreachable(): Outcome {
  setLiveState({ kind: "offline", since: new Date().toISOString() });
  return "unreachable";
}

/** With jitter, so that many pages do not return to a restarted server at once. */
function pauseAfter(failures: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** Ends early when the browser has found a network. */
function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end, { once: true });
    stop.addEventListener("abort", end, { once: true });
  });
}

function untilShown(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !stop.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    stop.addEventListener("abort", look, { once: true });
    look();
  });
}

/** Aborts when the page is hidden, the network is lost, or `stop` aborts. */
function untilHidden(stop: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!document.hidden && navigator.onLine && !stop.aborted) return;
    document.removeEventListener("visibilitychange", look);
    removeEventListener("offline", look);
    controller.abort();
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("offline", look);
  stop.addEventListener("abort", look, { once: true });
  return controller.signal;
}
