/** A run as the page shows it: its snapshot, then its events. List and detail read the same record. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Run } from "../../../../../src/runs/run.ts";
import type { RunEvent } from "../../../../../src/runs/run-event.ts";
import { POLLING_MS } from "../../live/live-query.ts";
import { type StreamSlot, takeStreamSlot } from "../../live/stream-slot.ts";
import { client } from "../../server/client.ts";
import { pauseAfter, untilReached, useLostSince } from "../../server/connection.ts";
import { queryClient } from "../../server/query-client.ts";
import { isRefusal } from "../../server/refusal.ts";
import { hasEnded } from "../has-ended.ts";
import { applyEvents, keepSteps } from "./apply-event.ts";
import { createSeenStore, type SeenStore } from "./attempts-seen.ts";
import { usePageVisible } from "./page-visible.ts";
import { createRecentEvents, type RecentEvents } from "./recent-events.ts";
import { areAboutItems, createReread, hasOpenItems, haveBegunWait } from "./reread.ts";

export type LiveState = "live" | "connecting" | "ended" | "offline";

export interface LiveRun {
  readonly run: Run | undefined;
  readonly error: unknown;
  readonly live: LiveState;
  /** Whether it was read since the page was opened, and not only kept from an earlier visit. */
  readonly isFresh: boolean;
  readonly seen: SeenStore;
  readonly reload: () => void;
}

/** How often items of a list are counted anew, at most. */
const ITEMS_MS = 1_000;

/** Bytes of JSON from which values are left out: the panel that shows one reads it. */
const PREVIEW_BYTES = 65_536;

export const runKey = (appId: string, runId: string) => [appId, "runs", runId] as const;

export function useRun(appId: string, runId: string): LiveRun {
  const key = runKey(appId, runId);
  const [recent] = useState(createRecentEvents);
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const before = recent.count();
      const run = await client.with({ signal }).runs.get(appId, runId, { preview: PREVIEW_BYTES });
      // Events that came meanwhile may be newer than the snapshot.
      return applyEvents(run, recent.since(before));
    },
    structuralSharing: (before, after) => keepSteps(before as Run | undefined, after as Run), // as queryFn returns them
    refetchOnWindowFocus: ({ state: { data } }) => data === undefined || !hasEnded(data.status),
    staleTime: 0,
  });
  const { data: run } = query;
  const isOpen = run !== undefined && !hasEnded(run.status);
  const { live, seen } = useFollowing(appId, runId, isOpen, recent);
  const isLost = useLostSince() !== null;
  return {
    run,
    error: query.error,
    live: run !== undefined && !isOpen ? "ended" : isLost ? "offline" : live,
    isFresh: query.isFetchedAfterMount,
    seen,
    reload: () => void query.refetch(),
  };
}

/** Follows the events of a run while it is open and the page is seen. */
function useFollowing(appId: string, runId: string, isOpen: boolean, recent: RecentEvents) {
  const [seen] = useState(createSeenStore);
  const [live, setLive] = useState<LiveState>("connecting");
  const last = useRef(0);
  const isVisible = usePageVisible();
  useEffect(() => {
    if (!isOpen || !isVisible) return undefined;
    const ended = new AbortController();
    const known = () => queryClient.getQueryData<Run>(runKey(appId, runId));
    const areOpen = () => {
      const run = known();
      return run !== undefined && hasOpenItems(run);
    };
    const reread = createReread(async () => {
      await readAgain(appId, runId);
      return areOpen();
    }, ITEMS_MS);
    if (areOpen()) reread.ask();
    const batch = createBatch((events) => {
      recent.add(events);
      for (const { id } of events) last.current = id ?? last.current;
      seen.add(events);
      queryClient.setQueryData<Run>(runKey(appId, runId), (run) => run && applyEvents(run, events));
      const run = known();
      if (run === undefined) return;
      if (areAboutItems(run, events) || haveBegunWait(run, events)) reread.ask();
      // Its events lack long outputs and numbers of items. If the connection is lost, the query reads it with the next one.
      if (hasEnded(run.status)) readAgain(appId, runId).catch(() => undefined);
    });
    void followAgain(ended.signal, setLive, async () => {
      // After a pause, the snapshot comes first.
      if (last.current > 0) await readAgain(appId, runId);
      const release = await takeTurn(ended.signal, async () => {
        await readAgain(appId, runId);
        return !hasEnded(known()?.status ?? "running");
      });
      if (release === null) return;
      setLive("live");
      try {
        for await (const event of client.runs.events(appId, runId, { after: last.current, signal: ended.signal })) {
          batch.add(event);
        }
      } finally {
        release();
      }
      batch.flush();
      const run = known();
      if (!ended.signal.aborted && run !== undefined && !hasEnded(run.status)) await readAgain(appId, runId);
    });
    return () => {
      ended.abort();
      batch.stop();
      reread.stop();
    };
  }, [appId, runId, isOpen, isVisible, seen, recent]);
  return { live, seen };
}

async function readAgain(appId: string, runId: string): Promise<void> {
  await queryClient.refetchQueries({ queryKey: runKey(appId, runId), exact: true }, { throwOnError: true });
}

/**
 * Waits for a connection for the stream.
 * @param poll Reads the run meanwhile. Returns whether there is more to come.
 * @returns Null if there is nothing more to follow.
 */
async function takeTurn(signal: AbortSignal, poll: () => Promise<boolean>): Promise<StreamSlot | null> {
  for (;;) {
    const slot = await takeStreamSlot();
    if (slot !== null && !signal.aborted) return slot;
    slot?.();
    if (signal.aborted || !(await poll())) return null;
    await new Promise((resolve) => setTimeout(resolve, POLLING_MS));
  }
}

/** A connection that has lasted so long was none that failed. */
const STABLE_MS = 15_000;

/** Follows again after a lost connection, with growing delays. What the server refuses is not asked for again. */
async function followAgain(
  signal: AbortSignal,
  setLive: (state: LiveState) => void,
  follow: () => Promise<void>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const startedAt = performance.now();
    try {
      await follow();
      return;
    } catch (error) {
      if (signal.aborted) return;
      setLive(isRefusal(error) ? "ended" : "offline");
      if (isRefusal(error)) return;
      if (performance.now() - startedAt > STABLE_MS) failures = 0;
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures + 1)));
      await untilReached(signal);
    }
  }
}

/** Collects events and passes them on once a frame. */
function createBatch(onEvents: (events: readonly RunEvent[]) => void) {
  let waiting: RunEvent[] = [];
  let frame: number | undefined;
  const flush = () => {
    frame = undefined;
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    onEvents(events);
  };
  return {
    add(event: RunEvent) {
      waiting.push(event);
      frame ??= requestAnimationFrame(flush);
    },
    flush,
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      waiting = [];
    },
  };
}
