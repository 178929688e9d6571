/** What becomes of a link when its run is retried. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { fail, give, input, step } from "../support/engine/service.ts";
import { ask, json, openForms } from "../support/forms/open-forms.ts";

describe("a link that a step creates", () => {
  it("is created anew by a retry from the step that creates it, such as after a mail could not be sent", async () => {
    const { stepwell, app, start, until, send, wait } = await openForms();
    const link: Step = {
      type: "service",
      key: "link",
      service: { service: "inputs", action: "create_link", input: { step_key: "ask" } },
    };
    const mail = fail("mail", { retry: { max_attempts: 1 } });
    const run = await start([input("in"), link, mail, ask({ ok: { type: "boolean" } })]);
    const failed = await wait(run.id);
    expect(failed.status).toBe("failed");
    const { workflow_id } = failed;
    const { steps } = await stepwell.workflows.getDraft(app, workflow_id);
    await stepwell.workflows.putDraft(app, workflow_id, {
      steps: steps.map((one) => (one.key === "mail" ? give("mail") : one)),
    });
    await stepwell.workflows.deploy(app, workflow_id);
    const urlOf = async () => (step(await stepwell.runs.get(app, run.id), "link").output as { url: string }).url;
    const before = await urlOf();
    await stepwell.runs.retry(app, run.id, { version: "latest", from_step: "link" });
    await until(run.id, ({ status }) => status === "waiting");
    expect(await send(before, json({ ok: true }))).toMatchObject({ status: 409 });
    expect(await send(await urlOf(), json({ ok: true }))).toMatchObject({ status: 200 });
    expect((await wait(run.id)).status).toBe("succeeded");
  });
});
