/** Webhooks with their own responses, path parameters, and files in the request. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject, Step, Stepwell } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { refusal } from "../support/http/transports.ts";

let service: TestService;
let stepwell: Stepwell;
beforeEach(async () => {
  service = await createTestService({ baseUrl: "https://example.com" });
  stepwell = service.stepwell;
});
afterEach(() => service.close());

const hook = (webhook: object, input = {}): Step => ({ type: "input", key: "in", input, webhook }) as Step; // the shapes under test are right
const respond = (input: JsonObject, more: object = {}): Step =>
  ({ type: "service", key: "respond", service: { service: "webhooks", action: "respond", input }, ...more }) as Step;

async function deploy(...steps: Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(service.app, { name: "Hook", steps });
  await stepwell.workflows.deploy(service.app, id);
  return id;
}

const send = (path: string, init: RequestInit = {}) =>
  stepwell.fetch(
    new Request(`https://example.com/public/apps/hooks/${service.app}/${path}`, { method: "POST", ...init }),
  );
const runs = async () => (await stepwell.runs.list(service.app)).items;

describe("webhooks.respond", () => {
  it("answers with its status, headers and body, and the run goes on", async () => {
    await deploy(
      hook({ method: "POST", path: "orders" }, { id: { type: "string" } }),
      respond({ status: 201, headers: { location: "/orders/{{ input.id }}" }, body: { id: "{{ input.id }}" } }),
      { type: "input", key: "ask", input: {} },
    );
    const answer = await send("orders", { body: '{"id":"7"}', headers: { "content-type": "application/json" } });
    expect([answer.status, answer.headers.get("location"), await answer.json()]).toEqual([
      201,
      "/orders/7",
      { id: "7" },
    ]);
    expect(answer.headers.get("content-security-policy")).toBe("sandbox");
    expect((await runs())[0]?.status).toBe("waiting");
  });

  it("sends a text as it is, and no body for null", async () => {
    await deploy(
      hook({ method: "GET", path: "page" }),
      respond({ headers: { "content-type": "text/html" }, body: "<p>hi" }),
    );
    const page = await send("page", { method: "GET" });
    expect([page.status, page.headers.get("content-type"), await page.text()]).toEqual([200, "text/html", "<p>hi"]);
    await deploy(hook({ method: "GET", path: "none" }), respond({ status: 204, body: { ignored: true } }));
    const none = await send("none", { method: "GET" });
    expect([none.status, await none.text()]).toEqual([204, ""]);
  });

  it("does not wait for a branch that does not respond, and obeys Prefer: wait=0", async () => {
    await deploy(
      hook({ method: "POST", path: "maybe" }, { yes: { type: "boolean" } }),
      respond({ body: "yes" }, { conditional: "input.yes" }),
    );
    const json = (yes: boolean) => ({
      body: JSON.stringify({ yes }),
      headers: { "content-type": "application/json" },
    });
    expect(await (await send("maybe", json(true))).text()).toBe("yes");
    expect((await send("maybe", json(false))).status).toBe(202);
    const { headers, body } = json(true);
    expect((await send("maybe", { body, headers: { ...headers, prefer: "wait=0" } })).status).toBe(202);
  });

  it("refuses headers that act on the host, and answers 424 if the run fails before", async () => {
    for (const name of ["Set-Cookie", "content-length", "a b"]) {
      const input = { service: "webhooks", action: "respond", input: { headers: { [name]: "a" } } };
      const step: Step = { type: "service", key: "respond", service: input };
      expect(await refusal(deploy(hook({ method: "POST", path: "other" }), step))).toContain("422 invalid");
    }
    const crlf = respond({ headers: { a: "{{ input.name }}" } });
    await deploy(hook({ method: "POST", path: "crlf" }, { name: { type: "string" } }), crlf);
    const answer = await send("crlf", {
      body: JSON.stringify({ name: "a\r\nset-cookie: b" }),
      headers: { "content-type": "application/json", prefer: "wait=9999" },
    });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([424, null]);
  });
});

describe("a webhook with parameters in its path", () => {
  it("takes them as input, and keeps them in run.trigger", async () => {
    await deploy(
      hook({ method: "GET", path: "orders/{order_id}/items/{item}" }),
      respond({ body: "{{ input.order_id + ' ' + run.trigger.request.params.item }}" }),
    );
    const answer = await send("orders/a%20b/items/7", { method: "GET" });
    expect(await answer.text()).toBe("a b 7");
    expect((await send("orders/1/items", { method: "GET" })).status).toBe(404);
    expect((await send("orders/1/things/7", { method: "GET" })).status).toBe(404);
    const [run] = await runs();
    const { trigger } = await stepwell.runs.get(service.app, run?.id ?? "");
    expect(trigger.request).toMatchObject({ params: { order_id: "a b", item: "7" } });
  });

  it("comes after an exact path, and must not overlap with another pattern", async () => {
    await deploy(hook({ method: "GET", path: "orders/{id}" }), respond({ body: "pattern" }));
    await deploy(hook({ method: "GET", path: "orders/new" }), respond({ body: "exact" }));
    expect(await (await send("orders/new", { method: "GET" })).text()).toBe("exact");
    expect(await (await send("orders/old", { method: "GET" })).text()).toBe("pattern");
    for (const path of ["orders/{other}", "{a}/{b}", "{what}/new"]) {
      expect(await refusal(deploy(hook({ method: "GET", path })))).toBe("422 invalid /steps/0/webhook");
    }
    await deploy(hook({ method: "POST", path: "orders/{other}" }), respond({ body: "other method" }));
    for (const path of ["a/{b}c", "a/{}", "{a}/{a}", "a/{b c}"]) {
      expect(await refusal(deploy(hook({ method: "GET", path })))).toBe("422 invalid /steps/0/webhook/path");
    }
  });

  it("is free for others once its workflow is deleted", async () => {
    const first = await deploy(hook({ method: "GET", path: "x/{id}" }), respond({ body: "first" }));
    await stepwell.workflows.remove(service.app, first);
    expect((await send("x/1", { method: "GET" })).status).toBe(404);
    await deploy(hook({ method: "GET", path: "x/{name}" }), respond({ body: "{{ input.name }}" }));
    expect(await (await send("x/1", { method: "GET" })).text()).toBe("1");
  });
});

describe("files in a request to a webhook", () => {
  const input = { photo: { type: "file" }, note: { type: "string", optional: true } };
  const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const shows = { type: "code", key: "show", code: "return input" } as Step;

  it("become files of the app for file fields of a multipart form", async () => {
    await deploy(
      hook(
        { method: "POST", path: "photos", respond: "output" },
        { photo: { type: "file", array: true }, note: { type: "string" } },
      ),
      shows,
    );
    const body = new FormData();
    body.append("photo", new File([PNG], "é.png"));
    body.append("photo", new File([new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0])], "raw.bin"));
    body.append("note", "hello");
    const answer = await send("photos", { body });
    const { photo, note } = (await answer.json()) as {
      photo: { id: string; name: string; mime_type: string; size: number }[];
      note: string;
    };
    expect([note, photo.map(({ name, size }) => [name, size])]).toEqual([
      "hello",
      [
        ["é.png", 16],
        ["raw.bin", 5],
      ],
    ]);
    const stored = await stepwell.files.content(service.app, photo[1]?.id ?? "");
    expect(new Uint8Array(await new Response(stored.body).arrayBuffer())).toEqual(
      new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0]),
    );
  });

  it("have the visibility of their field", async () => {
    const photo = { type: "file", visibility: "PUBLIC" };
    await deploy(hook({ method: "POST", path: "shared" }, { photo, paper: { type: "file" } }), shows);
    const body = new FormData();
    body.append("photo", new File([PNG], "photo.png"));
    body.append("paper", new File([PNG], "paper.png"));
    expect((await send("shared", { body })).status).toBe(202);
    const { items } = await stepwell.files.list(service.app);
    expect(Object.fromEntries(items.map(({ name, visibility }) => [name, visibility]))).toEqual({
      "photo.png": "PUBLIC",
      "paper.png": "PRIVATE",
    });
  });

  it("are the whole body for the only file field", async () => {
    await deploy(hook({ method: "POST", path: "raw", respond: "output" }, { photo: { type: "file" } }), shows);
    const headers = { "content-type": "image/png", "content-disposition": 'attachment; filename="p.png"' };
    const answer = await send("raw", { body: PNG, headers });
    expect(await answer.json()).toMatchObject({ photo: [{ name: "p.png", mime_type: "image/png", size: 16 }] });
  });

  it("are deleted if the input is invalid, and stored once for a repeated request", async () => {
    await deploy(hook({ method: "POST", path: "strict" }, { ...input, note: { type: "string" } }), shows);
    const bad = new FormData();
    bad.append("photo", new File([PNG], "p.png"));
    expect((await send("strict", { body: bad })).status).toBe(422);
    expect((await stepwell.files.list(service.app)).items).toEqual([]);
    const good = () => {
      const body = new FormData();
      body.append("photo", new File([PNG], "p.png"));
      body.append("note", "n");
      return send("strict", { body, headers: { "idempotency-key": "delivery-1" } });
    };
    expect([(await good()).status, (await good()).status]).toEqual([202, 202]);
    expect((await stepwell.files.list(service.app)).items).toHaveLength(1);
    expect(await runs()).toHaveLength(1);
  });
});
