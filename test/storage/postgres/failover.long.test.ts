/** A standby is promoted under load, and the address then leads to it. */
import { afterEach, beforeEach, it } from "vitest";
import { type PostgresServer, type Standby, startPostgres, startStandby } from "../../support/servers/postgres.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
import { startLanes } from "../../support/storage/lanes.ts";
import { postgresFixture } from "../../support/storage/postgres.ts";
import { until } from "../../support/until.ts";

let primary: PostgresServer;
let standby: Standby;
let proxy: TcpProxy;
beforeEach(async () => {
  primary = await startPostgres();
  standby = await startStandby(primary);
  proxy = await startProxy(primary.port);
});
afterEach(async () => {
  await proxy.close();
  // A server that waits for its standby does not end by itself.
  await primary.crash();
  await Promise.all([primary.close(), standby.close()]);
});

it("a synchronous standby has all that was acknowledged, and each commit once", async () => {
  const url = primary.url.replace(`:${primary.port}/`, `:${proxy.port}/`);
  const store = postgresFixture(url).open({ timeoutMs: 600_000 });
  const lanes = startLanes(store, 8);
  const { sums, failures } = lanes;
  await until(() => sums.every((sum) => sum > 20) || failures.length > 0);
  await primary.crash();
  await standby.promote();
  proxy.redirect(standby.port);
  const before = [...sums];
  await until(() => sums.every((sum, lane) => sum > (before[lane] ?? 0) + 20) || failures.length > 0);
  await lanes.check();
  await store.close();
});
