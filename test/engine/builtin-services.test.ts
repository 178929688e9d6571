/** The built-in services `files` and `scheduler`, and the list of services. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineService, type Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock });
});
afterEach(() => t.close());

const call = (key: string, service: string, action: string, input: object): Step => ({
  type: "service",
  key,
  service: { service, action, input: { ...input } },
});

describe("the files service", () => {
  it("creates, reads and deletes files", async () => {
    const run = await t.run(
      [
        call("made", "files", "create", { name: "a.txt", text: "hällo {{ input.n }}", visibility: "PUBLIC" }),
        call("read", "files", "read", { file_id: "{{ steps.made.output.id }}" }),
        call("text", "files", "extract_text", { file_id: "{{ steps.made.output.id }}" }),
        call("gone", "files", "delete", { file_id: "{{ steps.made.output.id }}" }),
        call("again", "files", "delete", { file_id: "{{ steps.made.output.id }}" }),
        { type: "code", key: "all", code: "return steps" },
      ],
      { n: 7 },
    );
    expect(run.error).toBeNull();
    expect(run.output).toMatchObject({
      made: { output: { name: "a.txt", mime_type: "text/plain", size: 8 } },
      read: { output: { text: "hällo 7", base64: null } },
      text: { output: { text: "hällo 7" } },
      gone: { output: { deleted: true } },
      again: { output: { deleted: false } },
    });
    expect((await t.stepwell.files.list(t.app)).items).toEqual([]);
  });

  it("passes bytes as base64 and extracts the text of a document", async () => {
    const pdf = readFileSync(new URL("../files/documents/story.pdf", import.meta.url));
    const id = await t.upload("story.pdf", pdf);
    const run = await t.run(
      [
        call("read", "files", "read", { file_id: "{{ input.id }}" }),
        call("copy", "files", "create", { name: "copy.pdf", base64: "{{ steps.read.output.base64 }}" }),
        call("text", "files", "extract_text", { file_id: "{{ steps.copy.output.id }}" }),
      ],
      { id },
    );
    expect((run.output as { text: string }).text.length).toBeGreaterThan(100);
  });

  it("creates one file for each key and app", async () => {
    const made = await t.stepwell.files.create(t.app, { name: "a", body: Uint8Array.of(1), key: "k" });
    const again = await t.stepwell.files.create(t.app, { name: "a", body: Uint8Array.of(1), key: "k" });
    expect(again).toEqual(made);
    const other = await t.stepwell.files.create(t.app, { name: "a", body: Uint8Array.of(1) });
    expect(other.id).not.toBe(made.id);
    const stranger = await t.stepwell.apps.create({ name: "Stranger" });
    expect((await t.stepwell.files.create(stranger.id, { name: "a", body: Uint8Array.of(1), key: "k" })).id).not.toBe(
      made.id,
    );
  });

  it("returns not_found for files of another app; bad input is rejected at deployment", async () => {
    const stranger = await t.stepwell.apps.create({ name: "Stranger" });
    const { id } = await t.stepwell.files.create(stranger.id, { name: "a", body: Uint8Array.of(1) });
    for (const action of ["read", "extract_text"]) {
      expect((await t.run([call("read", "files", action, { file_id: id })])).error).toMatchObject({
        code: "not_found",
      });
    }
    await expect(t.run([call("made", "files", "create", { name: "a" })])).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/0/service/input", message: expect.stringMatching(/text, base64 and url/) }],
    });
  });
});

describe("the scheduler service", () => {
  it("creates, lists and cancels schedules, one for each key", async () => {
    const later = await t.stepwell.workflows.create(t.app, {
      name: "Later",
      steps: [{ type: "note", key: "n", note: "" }],
    });
    await t.stepwell.workflows.deploy(t.app, later.id);
    const made = await t.run([call("plan", "scheduler", "create", { workflow_id: later.id, every: 60, name: "Soon" })]);
    expect(made.output).toMatchObject({ name: "Soon", workflow_id: later.id, next_at: "2030-01-01T00:01:00.000Z" });
    const { id } = made.output as { id: string };
    await clock.advance("61s");
    expect((await t.stepwell.runs.listOfWorkflow(t.app, later.id)).items).toHaveLength(1);
    const listed = await t.run([call("all", "scheduler", "list", { workflow_id: later.id })]);
    expect(listed.output).toMatchObject({ schedules: [{ id }] });
    for (const canceled of [true, false]) {
      expect((await t.run([call("stop", "scheduler", "cancel", { schedule_id: id })])).output).toEqual({ canceled });
    }
    const key = "once";
    const first = await t.stepwell.schedules.create(t.app, { workflow_id: later.id, every: 5, key });
    expect(await t.stepwell.schedules.create(t.app, { workflow_id: later.id, every: 5, key })).toEqual(first);
  });
});

describe("services.list", () => {
  it("returns the JSON Schemas of each action, in process and over HTTP", async () => {
    const own = defineService({
      name: "own",
      title: "Our own",
      actions: {
        act: {
          title: "Act",
          input: v.object({ n: v.pipe(v.number(), v.minValue(1)) }),
          output: v.object({ m: v.string() }),
          run: () => ({ m: "" }),
        },
      },
    });
    const service = await createTestService({ services: [own] });
    const list = await service.stepwell.services.list();
    expect(list.map(({ name }) => name)).toEqual([
      "events",
      "files",
      "http",
      "inputs",
      "own",
      "records",
      "rules",
      "scheduler",
      "webhooks",
    ]);
    expect(list.find(({ name }) => name === "own")?.actions).toMatchObject([
      {
        name: "act",
        title: "Act",
        description: null,
        input: { type: "object", properties: { n: { type: "number", minimum: 1 } }, required: ["n"] },
        output: { type: "object", properties: { m: { type: "string" } } },
      },
    ]);
    for (const { actions } of list) {
      for (const { input, output } of actions)
        expect([input?.["type"], output?.["type"]]).toEqual(["object", "object"]);
    }
    const { key } = await service.stepwell.keys.create(service.app, { name: "k" });
    const send = (headers: Record<string, string>) =>
      service.stepwell.fetch(new Request("http://localhost/services", { headers }));
    expect(await (await send({ authorization: `Bearer ${key}` })).json()).toEqual(list);
    expect((await send({})).status).toBe(401);
    await service.close();
  });

  it("rejects a service with the name of a built-in one at construction", () => {
    const files = defineService({
      name: "files",
      actions: { x: { input: v.object({}), output: v.object({}), run: () => ({}) } },
    });
    return expect(createTestService({ services: [files] })).rejects.toThrow(/built-in service named "files"/);
  });
});
