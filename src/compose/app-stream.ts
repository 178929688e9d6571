/** Creates the feed of changes, and connects it with the other processes of a cluster. */
import { type ChangeFeed, createChangeFeed } from "../app-stream/change-feed.ts";
import { createOtherProcesses } from "../app-stream/other-processes.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

export interface SharedFeed extends ChangeFeed {
  /** Called once, if other processes use the store. */
  connect(cluster: Cluster | undefined): void;
}

export function composeFeed(parts: { clock: Clock; ids: Ids }): SharedFeed {
  let others: ReturnType<typeof createOtherProcesses> | undefined;
  const feed = createChangeFeed({ ...parts, others: () => others });
  return Object.assign(feed, {
    connect(cluster: Cluster | undefined) {
      if (cluster !== undefined) others = createOtherProcesses({ ...parts, cluster, feed });
    },
  });
}
