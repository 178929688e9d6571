/** Forms of webhooks: browsers get them at the URL and start runs with them. */
import { describe, expect, it } from "vitest";
import type { InputDefinition, StepOf } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";

const BASE = "https://flows.test";
const HTML = { accept: "text/html,*/*;q=0.8" };
type Webhook = NonNullable<StepOf<"input">["webhook"]>;
const FIELDS: InputDefinition = { name: { type: "string", name: "Your name" }, doc: { type: "file", optional: true } };

async function open(webhook: Partial<Webhook> = {}, input = FIELDS) {
  const service = await openService({ baseUrl: BASE, secret: "s".repeat(40) });
  const { stepwell, app } = service;
  const step: StepOf<"input"> = {
    type: "input",
    key: "in",
    input,
    webhook: { method: "POST", path: "leads", form: true, ...webhook },
  };
  const workflow = await stepwell.workflows.create(app, { name: "Contact us", steps: [step] });
  await stepwell.workflows.deploy(app, workflow.id);
  return {
    ...service,
    runs: async () => (await stepwell.runs.list(app, {})).items,
    async send(init: RequestInit = {}, path = "leads") {
      const response = await stepwell.fetch(new Request(`${BASE}/public/apps/hooks/${app}/${path}`, init));
      return {
        status: response.status,
        location: response.headers.get("location"),
        text: await response.text(),
      };
    },
  };
}

function form(values: Record<string, string | File>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  return { method: "POST", headers: HTML, body };
}

describe("a webhook with a form", () => {
  it("shows its fields to browsers, and starts a run with what they send", async () => {
    const { send, runs, get, wait } = await open();
    const page = await send({ headers: HTML });
    expect(page.status).toBe(200);
    expect(page.text).toContain("<h1><bdi>Contact us</bdi></h1>");
    expect(page.text).toContain("Your name");
    expect(await runs()).toEqual([]);
    const sent = await send(form({ "/name": "Ann", "/doc": new File(["hello"], "a.txt") }));
    expect(sent).toMatchObject({ status: 303, location: "?sent" });
    expect((await send({ headers: HTML }, "leads?sent")).text).toContain("Your request was received.");
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    const { trigger, input } = await get(run?.id ?? "");
    expect(trigger.type).toBe("form");
    expect(input).toMatchObject({ name: "Ann" });
    expect((await wait(run?.id ?? "")).output).toMatchObject({ name: "Ann", doc: [{ name: "a.txt", size: 5 }] });
  });

  it("names what is wrong, keeps what was entered, and leaves nothing", async () => {
    const { stepwell, app, send, runs } = await open({}, { ...FIELDS, age: { type: "number", name: "Your age" } });
    const refused = await send(form({ "/name": "Ann", "/age": "old", "/doc": new File(["x"], "a.txt") }));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("<bdi>Your age</bdi>: Enter a number, such as 1,234.5.");
    expect(refused.text).toContain('value="Ann"');
    expect(await runs()).toEqual([]);
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("still starts runs for other requests, and shows nothing to them", async () => {
    const { send, runs } = await open();
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Bob"}' };
    expect((await send(json)).status).toBe(202);
    expect(await runs()).toMatchObject([{ trigger: { type: "webhook" } }]);
    expect((await send()).status).toBe(404);
  });

  it("takes values from the path, and does not ask for them", async () => {
    const { send, runs, get } = await open({ path: "leads/{source}" }, { ...FIELDS, source: { type: "string" } });
    const page = await send({ headers: HTML }, "leads/fair");
    expect(page.text).not.toContain("/source");
    expect((await send(form({ "/name": "Ann" }), "leads/fair")).status).toBe(303);
    const [run] = await runs();
    expect((await get(run?.id ?? "")).input).toEqual({ name: "Ann", source: "fair" });
  });

  it("ignores parameters of the path that are no fields", async () => {
    const { send, runs, get } = await open({ path: "leads/{source}" });
    expect((await send(form({ "/name": "Ann" }), "leads/fair")).status).toBe(303);
    const [run] = await runs();
    expect((await get(run?.id ?? "")).input).toEqual({ name: "Ann" });
  });

  it("has no form while it requires a signature, without form: true, or for an unknown path", async () => {
    const { stepwell, app, send } = await open();
    expect((await send({ headers: HTML }, "other")).status).toBe(404);
    const [hook] = (await stepwell.hooks.list(app)).items;
    await stepwell.hooks.putSignature(app, hook?.id ?? "", { scheme: "github" });
    expect((await send({ headers: HTML })).status).toBe(404);
    const without = await open({ form: false });
    expect((await without.send({ headers: HTML })).status).toBe(404);
  });

  it("needs the method POST", async () => {
    const { stepwell, app, draft } = await openService();
    const workflow = await draft([{ type: "input", key: "in", input: {}, webhook: { method: "PUT", form: true } }]);
    const error: unknown = await stepwell.workflows.deploy(app, workflow).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ errors: [{ pointer: "/steps/0/webhook/form" }] });
  });
});

describe("the same form of a webhook sent twice", () => {
  const doc = () => new File(["hello"], "a.txt");
  const onceOf = (page: string) => /name="(\/~once)" value="(\w+)"/.exec(page)?.slice(1, 3) ?? [];

  async function openPage() {
    const service = await open();
    const [name = "", key = ""] = onceOf((await service.send({ headers: HTML })).text);
    const post = (values: Record<string, string | File>) => service.send(form({ ...values, [name]: key }));
    return { ...service, name, key, post };
  }

  it.each(["at once", "one after another"])("starts one run, and gets the same response: %s", async (when) => {
    const { stepwell, app, post, runs } = await openPage();
    const values = () => ({ "/name": "Ann", "/doc": doc() });
    const sent =
      when === "at once"
        ? await Promise.all([post(values()), post(values()), post(values())])
        : [await post(values()), await post(values())];
    for (const response of sent) expect(response).toMatchObject({ status: 303, location: "?sent" });
    expect(await runs()).toHaveLength(1);
    expect((await stepwell.files.list(app)).items).toHaveLength(1);
  });

  it.each([
    ["value", { "/name": "Bob", "/doc": doc() }],
    ["file", { "/name": "Ann", "/doc": new File(["other"], "a.txt") }],
  ])("starts a second run if a %s has changed", async (_, changed) => {
    const { post, runs } = await openPage();
    expect((await post({ "/name": "Ann", "/doc": doc() })).status).toBe(303);
    expect((await post(changed)).status).toBe(303);
    expect(await runs()).toHaveLength(2);
  });

  it("starts a second run from another page, also from one that shows errors", async () => {
    const { send, post, runs, name, key } = await openPage();
    expect((await post({ "/name": "Ann" })).status).toBe(303);
    const [, other = ""] = onceOf((await post({ "/name": "" })).text);
    expect(other).not.toBe(key);
    expect((await send(form({ "/name": "Ann", [name]: other }))).status).toBe(303);
    expect(await runs()).toHaveLength(2);
  });

  it("is not the same with another path", async () => {
    const service = await open({ path: "leads/{source}" }, { ...FIELDS, source: { type: "string" } });
    const [name = "", key = ""] = onceOf((await service.send({ headers: HTML }, "leads/fair")).text);
    const values = { "/name": "Ann", [name]: key };
    for (const path of ["leads/fair", "leads/mail"]) expect((await service.send(form(values), path)).status).toBe(303);
    expect(await service.runs()).toHaveLength(2);
  });
});
