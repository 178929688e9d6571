/** Validating a workflow whose storage fails while the expression language is still loading. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { StepwellError } from "../../src/errors.ts";
import { createStepwell } from "../../src/index.ts";
import { heldStore } from "../support/storage/held-store.ts";

// An unhandled rejection would end the host's process; vitest fails the run for it.
it("validating a workflow rejects with 503 when the storage fails, without an unhandled rejection", async () => {
  const entities = heldStore(memoryDriver(), async (key) => {
    if (key === "workflow:work_1") throw new StepwellError("unavailable", "the disk is gone");
  });
  const stepwell = createStepwell({ storage: { entities } });
  const app = await stepwell.apps.create({ name: "Lending" });
  const workflow = await stepwell.workflows.create(app.id, { name: "Intake" });
  const steps = [{ type: "workflow", key: "w", input: "{{ input }}", workflow_id: "work_1" }];
  await expect(stepwell.workflows.validate(app.id, workflow.id, { steps })).rejects.toMatchObject({ status: 503 });
  expect(await stepwell.workflows.validate(app.id, workflow.id)).toEqual({ valid: true, errors: [] });
});
