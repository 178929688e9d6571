/** A logger that fails does not fail what it reports on. */
import { expect, it } from "vitest";
import { createStepwell } from "../../src/index.ts";

it.each([
  [
    "throws",
    () => {
      throw new Error("The stream of the log is closed.");
    },
  ],
  ["rejects", () => Promise.reject(new Error("The stream of the log is closed."))],
])("a logger that %s changes nothing, though listeners throw, too", async (_, fail) => {
  const logged: string[] = [];
  const logAs = (level: string) => () => {
    logged.push(level);
    return fail();
  };
  const logger = { debug: logAs("debug"), info: logAs("info"), warn: logAs("warn"), error: logAs("error") };
  const stepwell = createStepwell({ logger });
  stepwell.on("*", () => {
    throw new Error("The listener failed.");
  });
  const app = await stepwell.apps.create({ name: "Logged" });
  const { id } = await stepwell.workflows.create(app.id, {
    name: "W",
    steps: [{ type: "input", key: "in", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id, {});
  expect(await stepwell.runs.wait(app.id, run.id)).toMatchObject({ status: "succeeded" });
  expect(logged).toContain("error");
  await stepwell.close();
});
