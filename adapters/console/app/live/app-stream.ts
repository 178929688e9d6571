/** Follows the stream of an app: one for the whole page, and none while it is hidden. */
import { isServerError, streamClient } from "../server/client.ts";
import { checkConnection, lostSince, onConnection, pauseAfter, untilReached } from "../server/connection.ts";
import { isRefusal } from "../server/refusal.ts";
import { onAppChanges, passOn } from "./changes.ts";
import { readAgain, startPolling } from "./live-query.ts";
import { setStreamState } from "./live-state.ts";
import { readChanged } from "./read-changed.ts";
import { applyRunChanges } from "./run-rows.ts";
import { takeStreamSlot } from "./stream-slot.ts";

/** A server that refuses the stream will not change its mind soon. */
const REFUSED_PAUSE_MS = 60_000;
/** Until a page looks whether a stream of another window has ended. */
const CROWDED_PAUSE_MS = 10_000;
/** A stream that has not opened by then is held back on its way. */
const OPENING_MS = 5_000;

/** Keeps the page up to date until the returned function is called. */
export function followApp(appId: string): () => void {
  const stop = new AbortController();
  const endings = [
    startPolling(),
    onAppChanges((changes) => {
      applyRunChanges(appId, changes);
      readChanged(changes);
    }),
  ];
  setStreamState("connecting");
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
    await untilReached(stop);
    const use = watchUse(stop);
    const outcome = await followInTurn(appId, use.signal, () => {
      failures = 0;
    });
    use.end();
    if (stop.aborted) return;
    if (outcome === "left") setStreamState("connecting");
    else if (outcome === "crowded") await pause(CROWDED_PAUSE_MS, stop);
    else await pause(outcome === "refused" ? REFUSED_PAUSE_MS : pauseAfter(++failures), stop);
  }
}

/** `left`: the page is hidden, or the server cannot be reached. `crowded`: other windows have all connections of streams. */
type Outcome = "left" | "closed" | "refused" | "crowded";

async function followInTurn(appId: string, signal: AbortSignal, onOpen: () => void): Promise<Outcome> {
  const release = await takeStreamSlot();
  if (release === null) {
    setStreamState("polling");
    return "crowded";
  }
  try {
    return await follow(appId, signal, onOpen);
  } finally {
    release();
  }
}

/** Resolves when the stream has ended, with the reason. */
async function follow(appId: string, signal: AbortSignal, onOpen: () => void): Promise<Outcome> {
  // Some proxies pass a stream on only when it ends.
  const patience = setTimeout(() => setStreamState("polling"), OPENING_MS);
  try {
    for await (const change of streamClient.apps.stream(appId, { signal })) {
      clearTimeout(patience);
      if (change.type === "stream.opened" || change.type === "stream.reset") {
        onOpen();
        setStreamState("live");
        readAgain();
      } else passOn(change);
    }
    if (signal.aborted) return "left";
    setStreamState("connecting");
    // A server that stops closes its streams in good order.
    void checkConnection();
    return "closed";
  } catch (error) {
    if (signal.aborted) return "left";
    const hasAnswer = isServerError(error) && error.cause === undefined;
    setStreamState(hasAnswer ? "polling" : "connecting");
    return isRefusal(error) ? "refused" : "closed";
  } finally {
    clearTimeout(patience);
  }
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      forget();
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    // The connection was lost, or is back: there is no reason to wait any longer.
    const forget = onConnection(end);
    stop.addEventListener("abort", end, { signal: over.signal });
  });
}

function untilShown(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const look = () => {
      if (document.hidden && !stop.aborted) return;
      over.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", look, { signal: over.signal });
    stop.addEventListener("abort", look, { signal: over.signal });
    look();
  });
}

/** Its signal aborts when the page is hidden, the server cannot be reached, or `stop` aborts; also when the watch ends. */
function watchUse(stop: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => {
    forget();
    controller.abort();
  };
  const look = () => {
    if (document.hidden || lostSince() !== null || stop.aborted) end();
  };
  document.addEventListener("visibilitychange", look, { signal });
  stop.addEventListener("abort", look, { signal });
  const forget = onConnection(look);
  // Since it was waited for, it may have come to an end.
  look();
  return { signal, end };
}
