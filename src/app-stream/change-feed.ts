/**
 * Passes the changes of apps on to those who follow them. A change waits for a moment, so that a resource that changes often is
 * told once, and the processes of a cluster send each other few messages.
 */
import type { Clock } from "../ports/clock.ts";
import { instant } from "../time/iso.ts";
import { type AppChange, isPlain, subjectOf } from "./app-change.ts";
import { createPendingChanges, type NotedChange, type PendingChanges } from "./pending-changes.ts";

/** The other processes that share the store. */
export interface OtherProcesses {
  /** Whether none of them follows any app. */
  readonly areIdle: boolean;
  /** Whether one of them follows the app. */
  follow(appId: string): boolean;
  /** Tells them. */
  tell(appId: string, changes: readonly NotedChange[]): void;
  /** Resolves when they tell the changes of an app from now on, or do not answer in time. */
  listen(appId: string): Promise<void>;
  /** Called when nobody here follows the app any longer. */
  forget(appId: string): void;
}

export interface ChangeFeed {
  /** Whether no process follows any app. Then a commit costs nothing. */
  readonly isIdle: boolean;
  /** Whether a process follows the app. */
  isFollowed(appId: string): boolean;
  /** Apps that are followed in this process. */
  followedHere(): readonly string[];
  /** Passes changes on that this process has stored. */
  note(appId: string, changes: readonly NotedChange[]): void;
  /** Passes changes on within this process. */
  deliver(appId: string, changes: readonly NotedChange[]): void;
  /** Yields the changes of an app from now on. Ends when the signal aborts or the feed is closed. */
  follow(appId: string, signal: AbortSignal): AsyncGenerator<AppChange, void>;
  /** Ends all iterations. */
  close(): void;
}

/** How long a change waits. */
const PASS_ON_MS = 100;
/** Maximum number of resources of an app whose last version is remembered. */
const MAX_VERSIONS = 5_000;

interface Follower {
  readonly pending: PendingChanges;
  notify(): void;
}

interface FollowedApp {
  readonly followers: Set<Follower>;
  /** The version of the last change of each resource, the oldest first. */
  readonly versions: Map<string, number>;
}

/** @param parts.others Returns undefined if this process has the store for itself. */
export function createChangeFeed(parts: { clock: Clock; others(): OtherProcesses | undefined }): ChangeFeed {
  const { clock, others } = parts;
  const apps = new Map<string, FollowedApp>();
  const waiting = new Map<string, PendingChanges>();
  let isClosed = false;
  let isTimerSet = false;

  function passOn(): void {
    isTimerSet = false;
    const all = [...waiting];
    waiting.clear();
    for (const [appId, pending] of all) {
      const changes = pending.take();
      deliver(appId, changes);
      if (others()?.follow(appId) === true) others()?.tell(appId, changes);
    }
  }

  function deliver(appId: string, changes: readonly NotedChange[]): void {
    const app = apps.get(appId);
    if (app === undefined) return;
    for (const noted of changes) {
      if (isOld(app, noted)) continue;
      for (const { pending } of app.followers) pending.add(noted);
    }
    for (const follower of app.followers) follower.notify();
  }

  /** Resolves when there may be something to read, or the iteration is over. */
  function untilNotified(follower: Follower, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      follower.notify = () => {
        signal.removeEventListener("abort", follower.notify);
        resolve();
      };
      signal.addEventListener("abort", follower.notify, { once: true });
    });
  }

  return {
    get isIdle() {
      return apps.size === 0 && others()?.areIdle !== false;
    },
    isFollowed: (appId) => apps.has(appId) || others()?.follow(appId) === true,
    followedHere: () => [...apps.keys()],
    deliver,

    note(appId, changes) {
      if (changes.length === 0 || isClosed) return;
      const pending = waiting.get(appId) ?? createPendingChanges();
      waiting.set(appId, pending);
      for (const noted of changes) pending.add(noted);
      if (isTimerSet) return;
      isTimerSet = true;
      clock.after(PASS_ON_MS, passOn);
    },

    async *follow(appId, signal) {
      const follower: Follower = { pending: createPendingChanges(), notify() {} };
      const app = apps.get(appId) ?? { followers: new Set(), versions: new Map() };
      apps.set(appId, app);
      app.followers.add(follower);
      const isOver = () => isClosed || signal.aborted;
      try {
        await others()?.listen(appId);
        if (!isOver()) yield { type: "stream.opened", at: instant(clock.now()) };
        while (!isOver()) {
          const next = follower.pending.shift();
          if (next !== undefined) yield next.change;
          else await untilNotified(follower, signal);
        }
      } finally {
        app.followers.delete(follower);
        if (app.followers.size === 0) {
          apps.delete(appId);
          others()?.forget(appId);
        }
      }
    },

    close() {
      isClosed = true;
      for (const { followers } of apps.values()) for (const { notify } of followers) notify();
    },
  };
}

/** Whether another process has told a later change of the same resource. */
function isOld({ versions }: FollowedApp, { change, version }: NotedChange): boolean {
  // A hook that is created again has its earlier id.
  if (change.type === "stream.reset" || isPlain(change)) return false;
  const subject = subjectOf(change);
  if ((versions.get(subject) ?? 0) > version) return true;
  versions.delete(subject);
  versions.set(subject, version);
  const [oldest] = versions.keys();
  if (versions.size > MAX_VERSIONS && oldest !== undefined) versions.delete(oldest);
  return false;
}
