// Tests of workflows without a network, a model or a minute of waiting: node --test examples/testing/
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestClock, createTestService, runWorkflow, scriptedModel } from "stepwell/testing";

test("runs a workflow to its end", async () => {
  const run = await runWorkflow([{ type: "code", key: "double", code: "return input.n * 2" }], { n: 21 });
  assert.equal(run.status, "succeeded");
  assert.equal(run.output, 42);
});

test("answers HTTP requests from stubs, and retries a 503", async () => {
  const url = "https://api.example.com/rate";
  const service = await createTestService({ http: { [`GET ${url}`]: [{ status: 503 }, { json: { rate: 1.1 } }] } });
  const run = await service.run([{ type: "http_request", key: "rate", url }]);
  assert.equal(run.output?.body.rate, 1.1);
  assert.equal(service.requests.length, 2);
  await service.close();
});

test("scripts what a model says", async () => {
  const fake = scriptedModel(["Dear Ada, thank you."]);
  const provider = { provider: "fake", model: "any", messages: "Write to Ada." };
  const run = await runWorkflow([{ type: "model", key: "write", provider }], {}, { models: { fake } });
  assert.equal(run.output?.text, "Dear Ada, thank you.");
});

test("waits for three days at once, and survives a crash", async () => {
  const clock = createTestClock();
  const service = await createTestService({ clock });
  const delay = { service: "scheduler", action: "delay", input: { seconds: 3 * 86_400 } };
  const workflow = await service.stepwell.workflows.create(service.app, {
    name: "Later",
    steps: [
      { type: "service", key: "wait", service: delay },
      { type: "code", key: "done", code: "return 'done'" },
    ],
  });
  await service.stepwell.workflows.deploy(service.app, workflow.id);
  const { id } = await service.stepwell.runs.create(service.app, workflow.id);
  await clock.advance("1d");
  const after = await service.crash(); // what a new process finds
  await clock.advance("2d");
  assert.equal((await after.stepwell.runs.wait(service.app, id)).output, "done");
  await Promise.all([service.close(), after.close()]);
});
