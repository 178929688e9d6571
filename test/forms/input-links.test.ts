/** Links to the forms of input steps, without a browser: what they accept, when they end, and what they leave behind. */
import { describe, expect, it } from "vitest";
import type { InputDefinition, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input, step } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { ask, BASE, form, HTML, json, openForms } from "../support/forms/open-forms.ts";

describe("waiting inputs", () => {
  it("are listed with their fields, those first that have waited longest, until they are answered", async () => {
    const { stepwell, app, clock, asked, wait } = await openForms();
    const first = await asked({ ok: { type: "boolean" } });
    await clock.advance("1m");
    const second = await asked({ note: { type: "string" } });
    const { items, total } = await stepwell.inputs.list(app);
    expect(total).toBe(2);
    expect(items.map(({ run_id }) => run_id)).toEqual([first.run.id, second.run.id]);
    expect(items[0]?.inputs).toEqual([
      {
        step_key: "ask",
        definition: { ok: { type: "boolean" } },
        schema: {
          type: "object",
          properties: { ok: { type: "boolean" } },
          required: ["ok"],
          additionalProperties: false,
        },
        since: items[0]?.created_at,
        until: null,
      },
    ]);
    await stepwell.runs.provide(app, first.run.id, "ask", { ok: true });
    await wait(first.run.id);
    await stepwell.runs.cancel(app, second.run.id);
    expect((await stepwell.inputs.list(app)).items).toEqual([]);
    await expect(stepwell.inputs.get(app, first.run.id, "ask")).rejects.toMatchObject({ code: "conflict" });
    await expect(stepwell.inputs.get(app, first.run.id, "done")).rejects.toMatchObject({ code: "not_found" });
  });

  it("have the first values of their run that fit into a list, with their labels", async () => {
    const { stepwell, app, start, until } = await openForms();
    const definition: InputDefinition = {
      kind: { type: "select", name: "Kind", options: [{ value: "h", label: "Hotel" }], order: 3 },
      amount: { type: "number", name: "Amount in euros ".repeat(10), order: 2 },
      purpose: { type: "string", order: 1 },
      note: { type: "string", optional: true, order: 0 },
      days: { type: "number", array: true, order: 0 },
      place: { type: "object", fields: { city: { type: "string" } }, order: 0 },
      urgent: { type: "boolean", order: 4 },
    };
    const given = { amount: 12.5, purpose: "Fair ".repeat(200_000), kind: "h", days: [1], place: { city: "Rome" } };
    const labelled = await start([input("in", { input: definition }), ask({})], { ...given, note: " ", urgent: true });
    await until(labelled.id, ({ status }) => status === "waiting");
    const [waiting] = (await stepwell.inputs.list(app)).items;
    const label = `${"Amount in euros ".repeat(10).slice(0, 59)}…`;
    expect(waiting?.input_preview).toEqual([
      { name: "purpose", label: "purpose", value: `${"Fair ".repeat(200).slice(0, 79)}…` },
      { name: "amount", label, value: 12.5 },
      { name: "kind", label: "Kind", value: "Hotel" },
    ]);
    await stepwell.runs.cancel(app, labelled.id);
    const free = await start([input("in"), ask({})], { ids: ["a"], no: null, ok: false, __proto: 1 });
    await until(free.id, ({ status }) => status === "waiting");
    expect((await stepwell.inputs.list(app)).items[0]?.input_preview).toEqual([
      { name: "ok", label: "ok", value: false },
      { name: "__proto", label: "__proto", value: 1 },
    ]);
  });

  it("say until when they wait", async () => {
    const { stepwell, app, start, until } = await openForms();
    const run = await start([input("in"), ask({ ok: { type: "boolean" } }, { timeout: 60 })]);
    await until(run.id, ({ status }) => status === "waiting");
    const { since, until: end } = await stepwell.inputs.get(app, run.id, "ask");
    expect(Date.parse(end ?? "") - Date.parse(since)).toBe(60_000);
  });
});

describe("a link", () => {
  it("takes one answer, and answers a repeat of it the same", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked();
    expect(await send(link.url, json({ ok: true }))).toMatchObject({ status: 200, text: '{"status":"received"}' });
    expect(step(await wait(run.id), "ask").output).toEqual({ ok: true });
    expect(await send(link.url, json({ ok: true }))).toMatchObject({ status: 200, text: '{"status":"received"}' });
    expect(await send(link.url, json({ ok: false }))).toMatchObject({ status: 409 });
    expect(await send(link.url)).toMatchObject({ status: 409 });
    expect(await send(link.url, { headers: HTML })).toMatchObject({ status: 409 });
    const other = await send(link.url, form({}));
    expect(other.status).toBe(409);
    expect(other.text).toContain("No longer open");
  });

  it("gives the step exactly one of 64 answers at once", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({ n: { type: "number" } });
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => send(link.url, json({ n }))));
    const received = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(received).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(63);
    expect(step(await wait(run.id), "ask").output).toEqual({ n: received[0] });
  });

  it("acknowledges no answer that differs from the stored one, not even an empty one", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { run, link } = await asked({ note: { type: "string", optional: true }, n: { type: "number", default: 1 } });
    await stepwell.runs.provide(app, run.id, "ask", { note: "stored", n: 2 });
    await wait(run.id);
    for (const other of [{}, { note: "stored" }, { n: 2 }, { note: "other", n: 2 }, { note: "stored", n: "x" }]) {
      expect(await send(link.url, json(other))).toMatchObject({ status: 409 });
    }
    expect(await send(link.url, json({ note: "stored", n: "2" }))).toMatchObject({ status: 200 });
  });

  it("answers the same to 64 equal answers at once", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked();
    const answers = await Promise.all(Array.from({ length: 64 }, () => send(link.url, json({ ok: true }))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("does not take the answer to a later iteration for its own", async () => {
    const { stepwell, app, start, until, send, wait } = await openForms();
    const run = await start([input("in"), ask({ n: { type: "number" } }, { loop: "output.n > 1" })]);
    await until(run.id, ({ status }) => status === "waiting");
    const link = await stepwell.inputs.createLink(app, run.id, "ask");
    await stepwell.runs.provide(app, run.id, "ask", { n: 1 });
    await until(run.id, ({ steps }) => steps[1]?.status === "waiting");
    await stepwell.runs.provide(app, run.id, "ask", { n: 2 });
    await wait(run.id);
    expect(await send(link.url, json({ n: 2 }))).toMatchObject({ status: 409 });
  });

  it("is for one wait: not for the next iteration of a loop, and not after a retry", async () => {
    const { stepwell, app, start, until, send } = await openForms();
    const run = await start([input("in"), ask({ n: { type: "number" } }, { loop: "output.n > 1" })]);
    await until(run.id, ({ status }) => status === "waiting");
    const link = await stepwell.inputs.createLink(app, run.id, "ask");
    expect(await send(link.url, json({ n: 1 }))).toMatchObject({ status: 200 });
    await until(run.id, ({ steps }) => steps[1]?.status === "waiting");
    for (const n of [1, 2]) expect(await send(link.url, json({ n }))).toMatchObject({ status: 409 });
    const next = await stepwell.inputs.createLink(app, run.id, "ask");
    await stepwell.runs.cancel(app, run.id);
    expect(await send(next.url, json({ n: 2 }))).toMatchObject({ status: 409 });
    await stepwell.runs.retry(app, run.id);
    await until(run.id, ({ status }) => status === "waiting");
    expect(await send(next.url, json({ n: 2 }))).toMatchObject({ status: 409 });
  });

  it("expires, can be revoked, and exists only with its whole secret", async () => {
    const { stepwell, app, clock, asked, send } = await openForms();
    const { link } = await asked(undefined, undefined, { expires_in: 60 });
    expect(await send(link.url)).toMatchObject({ status: 200 });
    const lastDigit = link.url.endsWith("0") ? "1" : "0";
    expect(await send(`${link.url.slice(0, -1)}${lastDigit}`)).toMatchObject({ status: 404 });
    expect(await send(`${link.url}x`)).toMatchObject({ status: 404 });
    await clock.advance("1m");
    expect(await send(link.url)).toMatchObject({ status: 410 });
    expect((await send(link.url, { headers: HTML })).text).toContain("Link expired");
    const other = await asked();
    await stepwell.inputs.removeLink(app, other.run.id, "ask", other.link.id);
    expect(await send(other.link.url)).toMatchObject({ status: 404 });
    await expect(stepwell.inputs.removeLink(app, other.run.id, "ask", other.link.id)).rejects.toMatchObject({
      code: "not_found",
    });
    const stranger = await stepwell.apps.create({ name: "Stranger" });
    const third = await asked();
    await expect(stepwell.inputs.removeLink(stranger.id, third.run.id, "ask", third.link.id)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is listed without its URL, with who created it, until when it counts and where it stands", async () => {
    const { stepwell, app, clock, start, until, send } = await openForms();
    const run = await start([
      input("in"),
      ask({ n: { type: "number" } }, { loop: "output.n > 1" }),
      ask({}, { key: "later" }),
    ]);
    await until(run.id, ({ status }) => status === "waiting");
    const { inputs } = stepwell;
    const list = async (key = "ask") => (await inputs.listLinks(app, run.id, key)).items;
    const first = await inputs.createLink(app, run.id, "ask", { title: "Approve", language: "de" });
    await clock.advance("1m");
    const ann = stepwell.as({ id: "u_17", name: "Ann" }).inputs;
    const second = await ann.createLink(app, run.id, "ask", { expires_in: 60 });
    const early = await inputs.createLink(app, run.id, "later");
    const times = { created_at: expect.any(String), used_at: null };
    expect(await list()).toEqual([
      {
        ...{ id: second.id, title: null, language: null, state: "open", expires_at: second.expires_at, ...times },
        created_by: { id: "u_17", name: "Ann" },
      },
      {
        ...{ id: first.id, title: "Approve", language: "de", state: "open", expires_at: first.expires_at, ...times },
        created_by: null,
      },
    ]);
    expect(await list("later")).toMatchObject([{ id: early.id, state: "early" }]);
    expect(JSON.stringify(await list())).not.toContain(first.url.split("/").at(-1));
    await clock.advance("1m");
    expect((await list()).map(({ state }) => state)).toEqual(["expired", "open"]);
    expect(await send(first.url, json({ n: 1 }))).toMatchObject({ status: 200 });
    await until(run.id, ({ steps }) => steps[1]?.status === "waiting");
    const [, used] = await list();
    expect(used).toMatchObject({ id: first.id, state: "over" });
    expect(Date.parse(used?.used_at ?? "")).toBeGreaterThan(Date.parse(used?.created_at ?? ""));
    await inputs.removeLink(app, run.id, "ask", first.id);
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    await expect(inputs.listLinks(app, run.id, "nothing")).rejects.toMatchObject({ code: "not_found" });
    await expect(inputs.listLinks(app, run.id, "aks")).rejects.toMatchObject({
      code: "not_found",
      message: 'The version has no input step with the key "aks". Did you mean "ask"?',
    });
    const stranger = await stepwell.apps.create({ name: "Stranger" });
    await expect(inputs.listLinks(stranger.id, run.id, "ask")).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves the list when it is forgotten", async () => {
    const data = new Map<string, string>();
    const clock = createTestClock();
    const { stepwell, app, start, until } = await timedService(clock, data, { baseUrl: BASE });
    const run = await start([input("in"), ask({ ok: { type: "boolean" } })]);
    await until(run.id, ({ status }) => status === "waiting");
    const { id } = await stepwell.inputs.createLink(app, run.id, "ask", { expires_in: 60 });
    const list = () => stepwell.inputs.listLinks(app, run.id, "ask");
    expect((await list()).items).toMatchObject([{ id }]);
    await clock.advance("31d");
    await expect.poll(async () => (await list()).total).toBe(0);
  });

  it("does not store its secret", async () => {
    const clock = createTestClock();
    const data = new Map<string, string>();
    const { stepwell, app, start, until } = await timedService(clock, data, { baseUrl: BASE });
    const run = await start([input("in"), ask({ ok: { type: "boolean" } })]);
    await until(run.id, ({ status }) => status === "waiting");
    const { url } = await stepwell.inputs.createLink(app, run.id, "ask");
    expect([...data.values()].join()).not.toContain(url.split("/").at(-1));
  });

  it("can be created before the run reaches the step, and opens then", async () => {
    const { stepwell, app, start, until, send, wait } = await openForms();
    const link: Step = {
      type: "service",
      key: "link",
      service: {
        service: "inputs",
        action: "create_link",
        input: { step_key: "ask", title: "Approve {{ input.what }}" },
      },
    };
    const run = await start([input("in"), link, ask({ first: { type: "boolean" } }), ask2, give("done")], {
      what: "this",
    });
    await until(run.id, ({ status }) => status === "waiting");
    const output = step(await stepwell.runs.get(app, run.id), "link").output as { url: string };
    expect((await send(output.url, { headers: HTML })).text).toContain("<h1><bdi>Approve this</bdi></h1>");
    const early = await stepwell.inputs.createLink(app, run.id, "later");
    expect(await send(early.url, { headers: HTML })).toMatchObject({ status: 409 });
    expect((await send(early.url, { headers: HTML })).text).toContain("not open yet");
    expect(await send(early.url, json({ ok: true }))).toMatchObject({ status: 409 });
    expect(await send(output.url, form({ "/first": "true" }))).toMatchObject({ status: 200 });
    await until(run.id, ({ steps }) => steps.find(({ key }) => key === "later")?.status === "waiting");
    expect(await send(early.url, form({ "/ok": "true" }))).toMatchObject({ status: 200 });
    expect((await wait(run.id)).status).toBe("succeeded");
    await expect(stepwell.inputs.createLink(app, run.id, "later")).rejects.toMatchObject({ code: "conflict" });
  });
  const ask2 = input("later", { input: { ok: { type: "boolean" } } });
});

describe("a submitted form", () => {
  it("keeps what was entered and names what is wrong, and stores nothing", async () => {
    const { asked, send, get } = await openForms();
    const { run, link } = await asked({ name: { type: "string" }, age: { type: "number", name: "Your age" } });
    const refused = await send(link.url, form({ "/name": 'Ann "A" <b>', "/age": "old" }));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="Ann &#34;A&#34; &#60;b&#62;"');
    expect(refused.text).toContain("<bdi>Your age</bdi>: Enter a number, such as 1,234.5.");
    expect(refused.text).toContain('aria-invalid="true"');
    expect((await get(run.id)).status).toBe("waiting");
  });

  it("turns each control into the value of its field", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({
      yes: { type: "boolean" },
      no: { type: "boolean" },
      count: { type: "number" },
      lines: { type: "string", array: true },
      several: { type: "select", array: true, options: [{ value: "a" }, { value: "b" }, { value: "c" }] },
      nested: { type: "object", fields: { day: { type: "date" }, gone: { type: "string", optional: true } } },
      list: { type: "object", array: true, fields: { n: { type: "number" } } },
      "odd/name~": { type: "string" },
      empty: { type: "string", optional: true },
    });
    const body = new URLSearchParams([
      ["/yes", "true"],
      ["/no", "false"],
      ["/count", "7.5"],
      ["/lines", "one\r\n two \r\n\r\n"],
      ["/several", "a"],
      ["/several", "c"],
      ["/nested/day", "2027-01-31"],
      ["/list", '[{"n": 1}]'],
      ["/odd~1name~0", "x"],
      ["/empty", ""],
      ["/unknown", "ignored"],
    ]);
    expect(await send(link.url, { method: "POST", headers: HTML, body })).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toEqual({
      ...{
        yes: true,
        no: false,
        count: 7.5,
        lines: ["one", "two"],
        several: ["a", "c"],
        "odd/name~": "x",
        empty: null,
      },
      nested: { day: "2027-01-31", gone: null },
      list: [{ n: 1 }],
    });
  });

  it("stores its files for the step, and deletes them if the form is refused", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { run, link } = await asked({
      doc: { type: "file", allowed_types: ["text/*"], visibility: "PUBLIC" },
      n: { type: "number" },
    });
    const doc = new File(["hello"], "a.txt", { type: "text/plain" });
    const refused = await send(link.url, form({ "/doc": doc, "/n": "x" }));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Choose your files again");
    expect((await stepwell.files.list(app)).items).toEqual([]);
    const wrong = await send(
      link.url,
      form({ "/doc": new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0])], "a.png"), "/n": "1" }),
    );
    expect(wrong.status).toBe(422);
    expect((await stepwell.files.list(app)).items).toEqual([]);
    expect(await send(link.url, form({ "/doc": doc, "/n": "1" }))).toMatchObject({ status: 200 });
    const { output } = step(await wait(run.id), "ask");
    expect(output).toMatchObject({ n: 1, doc: [{ name: "a.txt", size: 5 }] });
    expect((await stepwell.files.list(app)).items).toMatchObject([{ name: "a.txt", visibility: "PUBLIC" }]);
    await send(link.url, form({ "/doc": doc, "/n": "2" }));
    expect((await stepwell.files.list(app)).items).toHaveLength(1);
  });

  it("is refused when it is too large, broken or of another type, and leaves no file", async () => {
    const { stepwell, app, asked, send } = await openForms({ limits: { bodyBytes: 1_024, fileBytes: 1_024 } });
    const { link } = await asked({ doc: { type: "file", optional: true }, text: { type: "string", optional: true } });
    expect(await send(link.url, form({ "/doc": new File(["x".repeat(2_000)], "a.txt") }))).toMatchObject({
      status: 413,
    });
    expect(await send(link.url, form({ "/text": "x".repeat(2_000) }))).toMatchObject({ status: 413 });
    const multipart = (body: string) => ({
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body,
    });
    const part = '--b\r\ncontent-disposition: form-data; name="/doc"; filename="a"\r\n\r\nabc';
    expect(await send(link.url, multipart(part))).toMatchObject({ status: 400 });
    expect(await send(link.url, multipart("nothing"))).toMatchObject({ status: 400 });
    expect(await send(link.url, multipart("--b--\r\n"))).toMatchObject({ status: 200 });
    expect(await send(link.url, { method: "POST", body: "text" })).toMatchObject({ status: 415 });
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("refuses JSON that is no object, and unknown fields of it", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked();
    const raw = (body: string) => send(link.url, { ...json({}), body });
    expect(await raw("[1]")).toMatchObject({ status: 400 });
    expect(await raw("{")).toMatchObject({ status: 400 });
    expect(await raw('{"ok": true, "more": 1}')).toMatchObject({ status: 422 });
    expect(await raw('{"ok": true}')).toMatchObject({ status: 200 });
  });
});

describe("the page of a form", () => {
  it("speaks the language of the browser, or that of the link", async () => {
    const { asked, send } = await openForms();
    const german = { headers: { ...HTML, "accept-language": "nl, de-AT;q=0.9, en;q=0.8" } };
    const { link } = await asked();
    const page = await send(link.url, german);
    expect(page.text).toContain('<html lang="de" dir="ltr">');
    expect(page.text).toContain("Absenden");
    const fixed = await asked(undefined, undefined, { language: "en" });
    expect((await send(fixed.link.url, german)).text).toContain('<html lang="en" dir="ltr">');
  });

  it("lets nothing in that authors or people write", async () => {
    const { asked, send } = await openForms();
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const { link } = await asked(
      {
        [hostile]: { type: "string", name: hostile, desc: hostile, placeholder: hostile, link: "javascript:alert(1)" },
        text: { type: "content", content: `${hostile}\n\n[a](javascript:alert(1)) ![b](https://x.test/b.png)` },
        pick: { type: "select", options: [{ value: hostile, label: hostile }] },
      },
      [],
      { title: hostile, text: hostile },
    );
    const { text, headers } = await send(link.url, { headers: HTML });
    expect(text).not.toMatch(/<script|<img|href="javascript/i);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});
