/** A server that crashes under load, and a whole service on PostgreSQL that is restarted. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import memoryDriver from "../../../adapters/storage/memory.ts";
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import { createStepwell, isStepwellError } from "../../../src/index.ts";
import { type PostgresServer, startPostgres } from "../../support/servers/postgres.ts";
import { postgresFixture } from "../../support/storage/postgres.ts";
import { until } from "../../support/until.ts";

describe("a PostgreSQL server that crashes under load", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  it("keeps what was acknowledged, and nothing of what was rejected", async () => {
    const store = postgresFixture(server.url).open({ timeoutMs: 120_000 });
    const acknowledged: string[] = [];
    const rejected: string[] = [];
    let isEnding = false;
    const lane = async (name: string) => {
      for (let n = 0; !isEnding; n++) {
        const id = `${name}-${String(n).padStart(6, "0")}`;
        const rows = [{ list: "things", put: { id, marks: [`lane:${name}`] } }];
        try {
          await store.commit([{ key: `thing:${id}`, document: { id }, expected: null, rows }]);
          acknowledged.push(id);
        } catch (error) {
          expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
          rejected.push(id);
        }
      }
    };
    const lanes = Array.from({ length: 16 }, (_, n) => lane(`lane${String(n).padStart(2, "0")}`));
    for (let crash = 1; crash <= 3; crash++) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 100);
      await server.crash();
      await server.start();
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 100);
    isEnding = true;
    await Promise.all(lanes);
    const { ids, total } = await store.list("things", { limit: 1_000_000, descending: false });
    expect(ids).toEqual(acknowledged.sort());
    expect(total).toBe(acknowledged.length);
    expect((await store.getMany(ids.map((id) => `thing:${id}` as const))).every((found) => found !== null)).toBe(true);
    expect(await store.getMany(rejected.map((id) => `thing:${id}` as const))).toEqual(rejected.map(() => null));
    await store.close();
  });
});

describe("a service whose storage is PostgreSQL", () => {
  const steps = [
    { type: "input" as const, key: "input", input: { n: { type: "number" as const } }, destinations: ["first"] },
    { type: "note" as const, key: "first", note: "n is {{ input.n }}", destinations: ["choice"] },
    {
      type: "branch" as const,
      key: "choice",
      conditions: { high: { order: 1, condition: "input.n > 10.0", destinations: ["third"] } },
      else: ["last"],
    },
    { type: "note" as const, key: "third", note: "high", destinations: ["last"] },
    { type: "note" as const, key: "last", note: "done" },
  ];

  it("runs a workflow of five steps, and has everything after a restart", async () => {
    const fixture = postgresFixture();
    const open = () => {
      const entities = postgres({ url: inject("postgres"), schema: fixture.schema });
      return createStepwell({ storage: { entities, blobs: memoryDriver() } });
    };
    const first = open();
    await first.ready();
    const app = await first.apps.create({ name: "Lending" });
    const workflow = await first.workflows.create(app.id, { name: "Five steps", steps });
    await first.workflows.deploy(app.id, workflow.id);
    const created = await Promise.all(
      [5, 50, 500].map((n) => first.runs.create(app.id, workflow.id, { input: { n } })),
    );
    const runs = await Promise.all(created.map(({ id }) => first.runs.wait(app.id, id)));
    expect(runs.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    await first.close();

    const second = open();
    await second.ready();
    expect(await second.apps.get(app.id)).toMatchObject({ name: "Lending" });
    expect(await Promise.all(created.map(({ id }) => second.runs.get(app.id, id)))).toEqual(runs);
    expect(await second.runs.list(app.id, { status: "succeeded" })).toMatchObject({ total: 3 });
    const again = await second.runs.create(app.id, workflow.id, { input: { n: 11 } });
    expect(await second.runs.wait(app.id, again.id)).toMatchObject({ status: "succeeded" });
    await second.close();
    await fixture.clean();
  });
});
