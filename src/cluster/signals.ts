/** Messages between the processes of a cluster. Each is a hint: what it reports can also be read from the store. */
import type { ClusterConnection } from "../ports/cluster.ts";

/**
 * - `ended`: a run has ended. - `changed`: its stored state has changed. - `event`: an event of a run that is not stored.
 * - `follow`: a process follows a run. - `ask`: a worker has a new request. - `answer`: a request has been answered.
 * - `duty`: there is work for the keeper. - `lost`: a worker has left. - `upload`: the turn of an upload has changed, or should.
 * - `deleted`: an app or a key of the API was deleted. - `apps`: a process follows apps. - `changes`: documents of an app that
 * others follow have changed. - `told`: how many messages of this kind there have been.
 */
export type SignalKind =
  | "ended"
  | "changed"
  | "event"
  | "follow"
  | "ask"
  | "answer"
  | "duty"
  | "lost"
  | "upload"
  | "deleted"
  | "apps"
  | "changes"
  | "told";

export interface Signals {
  /** Sends a message to the other processes, not to this one. @param body An ID, or JSON. */
  send(kind: SignalKind, body: string): void;
  /** Calls the listener for each message of this kind from another process. Replaces an earlier listener. */
  on(kind: SignalKind, listener: (body: string) => void): void;
}

/** Longer messages are not sent. Redis keeps them in memory for each slow subscriber. */
export const MAX_BODY_CHARS = 8_000;

/** @param sender Unique to this process. Contains no spaces. */
export function createSignals(connection: Pick<ClusterConnection, "publish" | "subscribe">, sender: string): Signals {
  const listeners = new Map<string, (body: string) => void>();

  connection.subscribe((message) => {
    const [from, kind, ...words] = message.split(" ");
    if (from !== sender && kind !== undefined) listeners.get(kind)?.(words.join(" "));
  });

  return {
    send(kind, body) {
      if (body.length <= MAX_BODY_CHARS) connection.publish(`${sender} ${kind} ${body}`);
    },
    on: (kind, listener) => void listeners.set(kind, listener),
  };
}
