/** The user for whom a caller acts: named by a header or in process, and shown by what was done. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiKeyScope } from "../../src/calls/caller.ts";
import { input, openService, type Service } from "../support/engine/service.ts";

let service: Service;
let workflow: string;
let collection: string;
beforeAll(async () => {
  service = await openService();
  workflow = await service.deploy([input("in")]);
  collection = (await service.stepwell.collections.create(service.app, { name: "Loans" })).id;
});
afterAll(() => service.stepwell.close());

const keyWith = async (...scopes: ApiKeyScope[]) =>
  (await service.stepwell.keys.create(service.app, { name: "Console", ...(scopes.length > 0 && { scopes }) })).key;
async function send(key: string, path: string, body: object, headers: Record<string, string>) {
  const init = { method: "POST", body: JSON.stringify(body) };
  const all = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
  const answer = await service.stepwell.fetch(
    new Request(`http://localhost/apps/me/${path}`, { ...init, headers: all }),
  );
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}
const ANN = { "stepwell-user": "u_17", "stepwell-user-name": encodeURIComponent("Änn Müller") };

describe("the acting user", () => {
  it("is the author of a version, a run and a record over HTTP", async () => {
    const key = await keyWith();
    const version = await send(key, `workflows/${workflow}/versions`, {}, ANN);
    expect(version.json.created_by).toEqual({ id: "u_17", name: "Änn Müller" });
    const run = await send(key, `workflows/${workflow}/runs`, {}, ANN);
    expect(run.json.trigger).toMatchObject({ type: "api", user_id: "u_17", key_id: expect.stringMatching(/^key_/) });
    const record = await send(key, `collections/${collection}/records`, { data: { a: { b: 1 } } }, ANN);
    const { items } = await service.stepwell.records.history(service.app, collection, record.json.id);
    expect(items[0]?.who).toMatchObject({ type: "key", user_id: "u_17" });
  });

  it("is the author in process", async () => {
    const ann = service.stepwell.as({ id: "u_17", name: "Ann" });
    expect((await ann.workflows.deploy(service.app, workflow)).created_by).toEqual({ id: "u_17", name: "Ann" });
    const { id } = await ann.runs.create(service.app, workflow);
    expect((await ann.runs.wait(service.app, id)).trigger).toEqual({ type: "api", user_id: "u_17" });
    const record = await ann.records.create(service.app, collection, { data: { a: { b: 1 } } });
    const { items } = await ann.records.history(service.app, collection, record.id);
    expect(items[0]?.who).toEqual({ type: "in_process", user_id: "u_17" });
    expect((await service.stepwell.workflows.deploy(service.app, workflow)).created_by).toBeUndefined();
  });

  it("may be named only by a key with the scope users:act, or with all scopes", async () => {
    const without = await keyWith("runs:write");
    const refused = await send(without, `workflows/${workflow}/runs`, {}, ANN);
    expect(refused).toMatchObject({ status: 403, json: { detail: expect.stringContaining("users:act") } });
    expect((await send(without, `workflows/${workflow}/runs`, {}, {})).status).toBe(201);
    const allowed = await send(
      await keyWith("runs:read", "runs:write", "users:act"),
      `workflows/${workflow}/runs`,
      {},
      ANN,
    );
    expect(allowed.json.trigger.user_id).toBe("u_17");
  });

  it.each([
    ["an empty id", { "stepwell-user": "" }],
    ["a name without an id", { "stepwell-user-name": "Ann" }],
    ["an id that is too long", { "stepwell-user": "u".repeat(257) }],
    ["an id that is not encoded correctly", { "stepwell-user": "%E4" }],
    ["a line break", { "stepwell-user": "a%0Ab" }],
  ])("is refused with %s", async (_, headers) => {
    const { status, json } = await send(await keyWith(), `workflows/${workflow}/runs`, {}, headers);
    expect([status, json.code]).toEqual([400, "malformed"]);
    expect(json.detail).toContain("Stepwell-User");
  });

  it("is checked in process", () => {
    expect(() => service.stepwell.as({ id: "" })).toThrow(/Must not be empty/);
    expect(() => service.stepwell.as({ id: "a", role: "admin" } as never)).toThrow(/role/);
  });
});
