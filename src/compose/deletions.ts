/** Tells the processes of a cluster which apps and keys one of them has deleted. */
import { appKey } from "../apps/apps.ts";
import { unpurgedApps } from "../apps/purge-apps.ts";
import { createWatches, type Watches } from "../apps/watches.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Store } from "../ports/store.ts";

const APP = appKey("");

/** @param parts.deletedApps Gets the IDs of apps that others have deleted. */
export function composeWatches(parts: {
  store: Store;
  cluster: Cluster | undefined;
  deletedApps: Set<string>;
}): Watches {
  const { store, cluster, deletedApps } = parts;
  if (cluster === undefined) return createWatches({ store });

  const { signals, onBeat } = cluster;
  const watches = createWatches({ store, tellOthers: (key) => signals.send("deleted", key) });
  signals.on("deleted", (key) => {
    if (key.startsWith(APP)) deletedApps.add(key.slice(APP.length));
    watches.endHere(key);
  });
  onBeat(async () => {
    for await (const appId of unpurgedApps(store)) deletedApps.add(appId);
    await watches.look();
  });
  return watches;
}
