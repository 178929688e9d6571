/** The expressions of one step share a budget of operations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { branch, note, openService, type Service, to } from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

/** Some 500,000 operations. */
const HEAVY = "range(0, 500).all(x, range(0, 200).all(y, y < 1000))";
const TOO_MUCH = {
  code: "expression_failed",
  message: expect.stringContaining("The expressions of the step exceed the limit of"),
};
const conditions = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, [string, string]] => [`c${index}`, [`!(${HEAVY})`, "end"]]),
  );

describe("the conditions of a branch", () => {
  it("succeed within the budget of a step", async () => {
    const run = await service.run([branch("b", conditions(3)), note("end")]);
    expect(run.error).toBeNull();
    expect(run.status).toBe("succeeded");
  });

  it("fail the step when together they exceed its budget", async () => {
    const run = await service.run([branch("b", conditions(1_000)), note("end")]);
    expect(run.error).toMatchObject(TOO_MUCH);
  });

  it("have a separate budget for each branch", async () => {
    const steps = Array.from({ length: 5 }, (_, index) => ({
      ...branch(`b${index}`, conditions(3)),
      ...to(index === 4 ? "end" : `b${index + 1}`),
    }));
    expect(await service.run([...steps, note("end")])).toMatchObject({ status: "succeeded" });
  });
});

it("the templates of a step fail it when together they exceed its budget", async () => {
  const input = { collection_id: `{{ ${HEAVY} }}`.repeat(1_000) };
  const call = { service: "records", action: "list", input };
  expect(await service.run([{ type: "service", key: "s", service: call }])).toMatchObject({ error: TOO_MUCH });
});
