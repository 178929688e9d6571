/** What a form accepts has an effect, or is refused: names, booleans, encodings and repeated values. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openService, step } from "../support/engine/service.ts";
import { form, HTML, json, openForms } from "../support/forms/open-forms.ts";

const FIELDS: InputDefinition = {
  amount: { type: "number" },
  ok: { type: "boolean" },
  doc: { type: "file", optional: true },
  pet: { type: "object", optional: true, fields: { name: { type: "string" } } },
  text: { type: "content", content: "Read this." },
  lines: { type: "string", array: true, optional: true },
};
const BASE = { "/amount": "1", "/ok": "true" };
const JSON_ONLY = { accept: "application/json" };

type Pairs = readonly (readonly [name: string, value: string | Blob])[];

const multipart = (pairs: Pairs, headers: Record<string, string> = JSON_ONLY) => {
  const body = new FormData();
  for (const [name, value] of pairs) body.append(name, value);
  return { method: "POST", headers, body };
};
const urlEncoded = (pairs: Pairs, headers: Record<string, string> = JSON_ONLY) => ({
  method: "POST",
  headers,
  body: new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])),
});
const given = (more: Pairs): Pairs => [...Object.entries(BASE), ...more];

describe.each([
  ["multipart/form-data", multipart],
  ["application/x-www-form-urlencoded", urlEncoded],
])("a program that submits a form as %s", (_, encoded) => {
  it.each([
    ["an unknown field", "/amuont", "2", "/amuont", "amount"],
    ["an unknown plain name", "amuont", "2", "/amuont", "amount"],
    ["a field of an object that does not have it", "/pet/nmae", "x", "/pet/nmae", "name"],
    ["a value for a content field", "/text", "x", "/text", "no value"],
    ["text for a whole object", "/pet", "x", "/pet", "/pet/name"],
    ["text for a file field", "/doc", "x", "/doc", "multipart/form-data"],
    ["two values for one number", "/amount", "2", "/amount", "once"],
  ])("gets 422 with the JSON Pointer of %s, and nothing is stored", async (_title, name, value, pointer, message) => {
    const { asked, send, get } = await openForms();
    const { run, link } = await asked(FIELDS);
    const { status, text } = await send(link.url, encoded(given([[name, value]])));
    expect(status).toBe(422);
    const { errors } = JSON.parse(text);
    expect(errors).toMatchObject([{ pointer, message: expect.stringContaining(message) }]);
    expect((await get(run.id)).status).toBe("waiting");
  });

  it("gets every problem at once", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(FIELDS);
    const body: Pairs = [
      ["/amount", "many"],
      ["/ok", "yes please"],
      ["/more", "1"],
    ];
    const { errors } = JSON.parse((await send(link.url, encoded(body))).text);
    expect(errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(["/amount", "/more", "/ok"]);
  });

  it("may repeat the name of a list", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked(FIELDS);
    const body = given([
      ["/lines", "one"],
      ["/lines", "two"],
    ]);
    expect(await send(link.url, encoded(body))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toMatchObject({ lines: ["one", "two"] });
  });
});

describe("a person who submits a form", () => {
  it("loses nothing because of a field that an extension of the browser adds", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked(FIELDS);
    const body = given([
      ["__extension", "x"],
      ["file", new File(["x"], "x.txt")],
    ]);
    expect(await send(link.url, multipart(body, HTML))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toMatchObject({ amount: 1, ok: true });
  });
});

describe("a boolean of a form", () => {
  it.each(["yes please", "on", "TRUE", "1"])("is refused as %j, by programs and by the page", async (ok) => {
    const { asked, send, get } = await openForms();
    const { run, link } = await asked({ ok: { type: "boolean" } });
    for (const headers of [JSON_ONLY, HTML]) {
      expect(await send(link.url, multipart([["/ok", ok]], headers))).toMatchObject({ status: 422 });
    }
    const { text } = await send(link.url, multipart([["/ok", ok]]));
    expect(JSON.parse(text).errors).toEqual([{ pointer: "/ok", message: "Must be true or false." }]);
    expect((await get(run.id)).status).toBe("waiting");
  });

  it.each([
    ["true", true],
    ["false", false],
  ])("is accepted as %s", async (ok, stored) => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({ ok: { type: "boolean" } });
    expect(await send(link.url, multipart([["/ok", ok]]))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toEqual({ ok: stored });
  });
});

describe("a file of a form", () => {
  it("is refused for a field that takes no file, and leaves nothing", async () => {
    const { stepwell, app, asked, send } = await openForms();
    const { link } = await asked({ note: { type: "string", optional: true } });
    const { status, text } = await send(link.url, multipart([["/note", new File(["x"], "x.txt")]]));
    expect(status).toBe(422);
    expect(JSON.parse(text).errors).toMatchObject([{ pointer: "/note", message: expect.stringContaining("no file") }]);
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("is deleted when another field of the same request is unknown", async () => {
    const { stepwell, app, asked, send } = await openForms();
    const { link } = await asked(FIELDS);
    const body = given([
      ["/doc", new File(["x"], "x.txt")],
      ["/more", "1"],
    ]);
    expect(await send(link.url, multipart(body))).toMatchObject({ status: 422 });
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });
});

describe("the encoding of a submitted form", () => {
  const raw = (type: string, body: string, more: Record<string, string> = {}) => ({
    method: "POST",
    headers: { ...JSON_ONLY, "content-type": type, ...more },
    body,
  });
  const part = (type: string) =>
    `--b\r\ncontent-disposition: form-data; name="/ok"\r\ncontent-type: ${type}\r\n\r\ntrue\r\n--b--\r\n`;

  it.each([
    ["JSON", raw("application/json; charset=iso-8859-1", '{"ok":true}')],
    ["a URL-encoded form", raw("application/x-www-form-urlencoded; charset=windows-1252", "ok=true")],
    ["a multipart form", raw("multipart/form-data; boundary=b; charset=utf-16", part("text/plain"))],
    ["a field of a multipart form", raw("multipart/form-data; boundary=b", part("text/plain; charset=iso-8859-1"))],
  ])("must be UTF-8: 415 for another charset of %s", async (_, request) => {
    const { asked, send, get } = await openForms();
    const { run, link } = await asked();
    const { status, text } = await send(link.url, request);
    expect(status).toBe(415);
    expect(JSON.parse(text).detail).toContain("UTF-8");
    expect((await get(run.id)).status).toBe("waiting");
  });

  it.each([
    ["JSON", raw("application/json; charset=utf8", '{"ok":true}')],
    ["a URL-encoded form", raw('application/x-www-form-urlencoded; charset="UTF-8"', "ok=true")],
    ["a multipart form", raw("multipart/form-data; boundary=b", part("text/plain; charset=utf-8"))],
  ])("may be named as UTF-8 in %s", async (_, request) => {
    const { asked, send } = await openForms();
    const { link } = await asked();
    expect(await send(link.url, request)).toMatchObject({ status: 200 });
  });

  it("must not be compressed: 415, also for the form of a webhook", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked();
    const compressed = {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" },
      body: gzipSync("ok=true"),
    };
    for (const accept of ["application/json", "text/html"]) {
      const request = { ...compressed, headers: { ...compressed.headers, accept } };
      expect(await send(link.url, request)).toMatchObject({ status: 415 });
    }
    const { stepwell, app, deploy } = await openService();
    await deploy([{ type: "input", key: "in", input: {}, webhook: { method: "POST", path: "leads", form: true } }]);
    const [hook] = (await stepwell.hooks.list(app)).items;
    const headers = { ...compressed.headers, ...HTML };
    expect((await stepwell.fetch(new Request(hook?.url ?? "", { ...compressed, headers }))).status).toBe(415);
  });
});

describe("the same answer again", () => {
  const doc = () => new File(["hello"], "a b.txt", { type: "text/plain" });
  const fields: InputDefinition = {
    doc: { type: "file" },
    more: { type: "object", fields: { scans: { type: "file", array: true } } },
    n: { type: "number" },
  };
  const answer = (): Pairs => [
    ["/doc", doc()],
    ["/more/scans", new File(["one"], "1.txt")],
    ["/more/scans", new File(["two"], "2.txt")],
    ["/n", "1"],
  ];

  it("returns the same response if its files are the same, and stores them once", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { run, link } = await asked(fields);
    expect(await send(link.url, multipart(answer()))).toMatchObject({ status: 200 });
    await wait(run.id);
    const { items } = await stepwell.files.list(app);
    expect(items).toHaveLength(3);
    for (const headers of [JSON_ONLY, HTML]) {
      expect(await send(link.url, multipart(answer(), headers))).toMatchObject({ status: 200 });
    }
    expect(await stepwell.files.list(app)).toMatchObject({ items });
    for (const { id } of items) await stepwell.files.remove(app, id);
    expect(await send(link.url, multipart(answer()))).toMatchObject({ status: 200 });
  });

  it.each([
    ["other bytes", ["/doc", new File(["hellp"], "a b.txt")]],
    ["another name", ["/doc", new File(["hello"], "c.txt")]],
  ] as const)("is another answer if a file has %s", async (_, other) => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked(fields);
    expect(await send(link.url, multipart(answer()))).toMatchObject({ status: 200 });
    await wait(run.id);
    expect(await send(link.url, multipart([other, ...answer().slice(1)]))).toMatchObject({ status: 409 });
    const swapped = answer();
    const scans = [swapped[2], swapped[1]].flatMap((one) => (one === undefined ? [] : [one]));
    expect(await send(link.url, multipart([...scans, ...answer().slice(0, 1), ["/n", "1"]]))).toMatchObject({
      status: 409,
    });
  });

  it("returns the same response to eight requests with the same files at once", async () => {
    const { stepwell, app, asked, send } = await openForms();
    const { link } = await asked(fields);
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(link.url, multipart(answer()))));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await stepwell.files.list(app)).items).toHaveLength(3);
  });

  it("returns the same response if another file is the default of its field", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { id } = await stepwell.files.create(app, { name: "terms.txt", body: new TextEncoder().encode("terms") });
    const hidden = { display: { hidden: true } } as const;
    const fields: InputDefinition = { doc: { type: "file" }, terms: { type: "file", ...hidden } };
    const { run, link } = await asked(fields, [], {}, { terms: [id] });
    for (const repeat of [false, true]) {
      expect(await send(link.url, multipart([["/doc", doc()]]))).toMatchObject({ status: 200 });
      if (!repeat) await wait(run.id);
    }
  });

  it("is not the same with an unknown field", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked();
    expect(await send(link.url, form({ "/ok": "true" }))).toMatchObject({ status: 200 });
    await wait(run.id);
    expect(
      await send(
        link.url,
        multipart([
          ["/ok", "true"],
          ["/more", "1"],
        ]),
      ),
    ).toMatchObject({ status: 409 });
    expect(await send(link.url, json({ ok: true }))).toMatchObject({ status: 200 });
  });
});
