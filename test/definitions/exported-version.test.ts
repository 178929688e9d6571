/** What an import makes of the exported version, and exports that no import would accept. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";

const start: Step = { type: "input", key: "start", input: {} };
const runs = (key: string, workflow_id: string, version: string | number): Step => ({
  ...{ type: "workflow", key, workflow_id, workflow_version_id: version, input: {}, conditional: "false" },
});

describeEachTransport("an exported version", (open) => {
  it("becomes the latest version and the draft of the copy, even if a child run needs a later one", async () => {
    const { callApi, app } = open();
    const [from, to] = [await app(), await app()];
    const { id } = await callApi("workflows.create", from.id, { name: "W", steps: [start] });
    const child = await callApi("workflows.create", from.id, { name: "Child", steps: [start] });
    for (const notes of ["one", "two"]) await callApi("workflows.deploy", from.id, id, { notes });
    const steps = [start, runs("child", child.id, "latest")];
    await callApi("workflows.putDraft", from.id, id, { steps });
    await callApi("workflows.deploy", from.id, id, { notes: "three" });
    for (const notes of ["four", "five"]) {
      await callApi("workflows.putDraft", from.id, id, { steps: [start, { type: "note", key: notes, note: notes }] });
      await callApi("workflows.deploy", from.id, id, { notes });
    }
    await callApi("workflows.putDraft", from.id, child.id, { steps: [start, runs("a", id, 5), runs("b", id, 1)] });
    await callApi("workflows.deploy", from.id, child.id);
    const bundle = await callApi("workflows.export", from.id, id, 3);
    expect(bundle).toMatchObject({ root: id, root_version: 3 });

    const { workflow_id, ids } = await callApi("workflows.import", to.id, bundle);
    const latest = await callApi("workflows.getVersion", to.id, workflow_id, "latest");
    expect(latest).toMatchObject({ version: 3, notes: "three" });
    expect((await callApi("workflows.getDraft", to.id, workflow_id)).steps).toEqual(latest.steps);
    const { steps: inChild } = await callApi("workflows.getVersion", to.id, ids[child.id], "latest");
    expect(inChild).toMatchObject([{}, { workflow_version_id: 2 }, { workflow_version_id: 1 }]);
    expect((await callApi("workflows.getVersion", to.id, workflow_id, 2)).notes).toBe("five");
    const again = await callApi("workflows.export", to.id, workflow_id, "latest");
    expect(again.root_version).toBe(3);
  });

  it("is named by pointers into the document, although its number changes", async () => {
    const { callApi, app } = open();
    const { id: from } = await app();
    const { id } = await callApi("workflows.create", from, { name: "W", steps: [start] });
    await callApi("workflows.deploy", from, id);
    await callApi("workflows.deploy", from, id);
    const bundle = await callApi("workflows.export", from, id, 1);
    const [workflow] = bundle.workflows;
    const [version] = workflow.versions;
    const broken = { ...version, steps: [start, { type: "code", key: "bad", code: "return (" }] };
    const later = { ...version, id: `${version.id.slice(0, -1)}${version.id.endsWith("x") ? "y" : "x"}`, version: 2 };
    const refused = (versions: object[], more: object = {}) =>
      refusal(callApi("workflows.import", from, { ...bundle, workflows: [{ ...workflow, versions }], ...more }));
    expect(await refused([broken, later])).toBe("422 invalid /workflows/0/versions/0/steps/1/code");
    expect(await refused([version, later], { root_version: 7 })).toBe("422 invalid /root_version");
    const { root: _, ...rest } = bundle;
    expect(await refusal(callApi("workflows.import", from, rest))).toBe("422 invalid /root_version");
  });
});

describeEachTransport("an export that no import would accept", (open) => {
  it("is refused, such as one with too many versions of a workflow", async () => {
    const { callApi, app } = open();
    const { id: from } = await app();
    const child = await callApi("workflows.create", from, { name: "Child", steps: [start] });
    const steps: Step[] = [start];
    for (let version = 1; version <= 101; version++) {
      await callApi("workflows.deploy", from, child.id);
      steps.push(runs(`v${version}`, child.id, version));
    }
    const { id } = await callApi("workflows.create", from, { name: "Parent", steps });
    expect(await refusal(callApi("workflows.export", from, id, "draft"))).toBe("422 invalid");
    // 99 by their numbers, and the latest.
    await callApi("workflows.putDraft", from, id, { steps: steps.slice(0, -2) });
    const bundle = await callApi("workflows.export", from, id, "draft");
    await callApi("workflows.import", from, bundle);
  });
});

describe("the export of an app", () => {
  it.each(["collections", "tags"])("is refused if it has more %s than an import accepts", async (kind) => {
    const { callApi, app } = createTestHost(false);
    const { id } = await app();
    for (let n = 0; n < 1_000; n++) await callApi(`${kind}.create`, id, { name: `${n}` });
    expect((await callApi("apps.export", id))[kind]).toHaveLength(1_000);
    await callApi(`${kind}.create`, id, { name: "one more" });
    const refused = await callApi("apps.export", id).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 422, message: expect.stringContaining(`more than 1000 ${kind}`) });
  });
});
