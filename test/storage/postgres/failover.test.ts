/** A standby is promoted under load, and the address then leads to it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { isStepwellError } from "../../../src/index.ts";
import { type PostgresServer, type Standby, startPostgres, startStandby } from "../../support/servers/postgres.ts";
import { startProxy, type TcpProxy } from "../../support/servers/tcp-proxy.ts";
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
  const LANES = 8;
  const sums = Array.from({ length: LANES }, () => 0);
  const failures: unknown[] = [];
  let isOver = false;
  // Each commit expects the version of the one before: one that was lost or applied twice would be a conflict.
  const lanes = sums.map(async (_, lane) => {
    for (let n = 0; !isOver; n++) {
      const rows = [{ list: `lane${lane}`, put: { id: `id${String(n).padStart(6, "0")}` } }];
      await store.commit([{ key: `thing:lane${lane}`, document: { n }, expected: n === 0 ? null : n, rows }]);
      sums[lane] = n + 1;
    }
  });
  const working = Promise.all(lanes).catch((error) => failures.push(error));
  await until(() => sums.every((sum) => sum > 20) || failures.length > 0);
  await primary.crash();
  await standby.promote();
  proxy.redirect(standby.port);
  const before = [...sums];
  await until(() => sums.every((sum, lane) => sum > (before[lane] ?? 0) + 20) || failures.length > 0);
  isOver = true;
  await working;
  expect(failures.map((error) => (isStepwellError(error) ? `${error.code}: ${error.message}` : error))).toEqual([]);
  for (const [lane, sum] of sums.entries()) {
    expect(await store.get(`thing:lane${lane}`)).toEqual({ version: sum, document: { n: sum - 1 } });
    expect((await store.list(`lane${lane}`, { limit: 0 })).total).toBe(sum);
  }
  await store.close();
});
