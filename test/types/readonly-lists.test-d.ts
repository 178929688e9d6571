/** Read-only lists are accepted wherever a list is, so that callers need no copies of theirs. */
import { describe, expectTypeOf, it } from "vitest";
import { createStepwell, defineWorkflow, type Run } from "../../src/index.ts";

const texts: readonly string[] = ["a"];
const json = { list: texts, nested: [{ list: texts }] } as const;

describe("read-only lists", () => {
  const stepwell = createStepwell();

  it("are accepted in arguments and in JSON", () => {
    () => stepwell.runs.create("app", "work", { input: json, tags: texts });
    () => stepwell.runs.provide("app", "run", "step", json);
    () => stepwell.runs.list("app", { tags: texts, status: ["failed"] as const });
    () => stepwell.runs.replay("app", "run", { input: json });
    () => stepwell.events.emit("app", { name: "paid", payload: json });
    () => stepwell.schedules.create("app", { workflow_id: "work", cron: "0 9 * * *", input: json });
    () => stepwell.records.create("app", "coll", { data: { loan: json }, tags: texts });
    () => stepwell.records.list("app", "coll", { tags: texts });
    () =>
      stepwell.workflows.create("app", {
        name: "A",
        steps: [{ type: "note", key: "a", note: "A", destinations: [] }] as const,
      });
    () => stepwell.keys.create("app", { name: "A", scopes: ["runs:read"] as const });
    expectTypeOf(defineWorkflow).toBeFunction();
  });

  it("are what is returned", () => {
    expectTypeOf<Run["tags"]>().toEqualTypeOf<readonly string[]>();
  });
});
