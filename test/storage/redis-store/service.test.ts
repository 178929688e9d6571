/** A whole service on a Redis store, restarted on the same data. */
import * as v from "valibot";
import { describe, expect, inject, it } from "vitest";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import { createStepwell, defineService } from "../../../src/index.ts";
import { silent } from "../../support/storage/open.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";

const value = v.object({ value: v.number() });
const service = defineService({
  name: "math",
  actions: {
    double: { title: "Double", input: value, output: value, run: ({ value }) => ({ value: 2 * value }) },
    increase: { title: "Increase", input: value, output: value, run: ({ value }) => ({ value: value + 1 }) },
  },
});

const call = <Action extends "double" | "increase">(
  key: string,
  action: Action,
  value: `{{${string}}}`,
  next: string[] = [],
) => ({
  type: "service" as const,
  key,
  service: { service: "math" as const, action, input: { value } },
  destinations: next,
});

describe("a service whose data is in a Redis store", () => {
  it("runs a workflow of five steps, and reads everything again after a restart", async () => {
    const prefix = uniquePrefix();
    const start = () =>
      createStepwell({
        storage: { entities: redisStore({ url: inject("redis"), prefix }) },
        services: [service],
        logger: silent,
      });
    const first = start();
    const app = await first.apps.create({ name: "Accounting" });
    const workflow = await first.workflows.create(app.id, {
      name: "Five steps",
      steps: [
        { type: "input", key: "input", input: { n: { type: "number" } }, destinations: ["one"] },
        call("one", "double", "{{ input.n }}", ["judge"]),
        {
          type: "branch",
          key: "judge",
          conditions: { high: { order: 1, condition: "steps.one.output.value > 10", destinations: ["two"] } },
          else: ["three"],
        },
        call("two", "increase", "{{ steps.one.output.value }}", ["three"]),
        call("three", "double", "{{ steps.two.output.value }}"),
      ],
    });
    await first.workflows.deploy(app.id, workflow.id);
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => first.runs.create(app.id, workflow.id, { input: { n: 10 + n } })),
    );
    const runs = await Promise.all(created.map(({ id }) => first.runs.wait(app.id, id)));
    expect(runs.map(({ status, output }) => ({ status, output }))).toEqual(
      runs.map((_, n) => ({ status: "succeeded", output: { value: 2 * (2 * (10 + n) + 1) } })),
    );
    const body = new TextEncoder().encode("a,b\n1,2\n");
    const file = await first.files.create(app.id, { name: "report.csv", body });
    const listed = await first.runs.list(app.id, { workflow_id: workflow.id, take: 5 });
    await first.close();

    const second = start();
    expect(await second.apps.get(app.id)).toEqual(app);
    expect((await second.workflows.get(app.id, workflow.id)).name).toBe("Five steps");
    expect(await second.runs.get(app.id, runs[7]?.id ?? "")).toEqual(runs[7]);
    const page = await second.runs.list(app.id, { workflow_id: workflow.id, take: 5 });
    expect(page).toEqual(listed);
    expect(page.total).toBe(20);
    expect(await second.files.get(app.id, file.id)).toEqual(file);
    const { body: content } = await second.files.content(app.id, file.id);
    expect(await new Response(content).text()).toBe("a,b\n1,2\n");
    const again = await second.runs.create(app.id, workflow.id, { input: { n: 30 } });
    expect((await second.runs.wait(app.id, again.id)).status).toBe("succeeded");
    await second.close();
  });
});
