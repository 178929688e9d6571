/** Files that Stepwell fetches from URLs, for the host and in steps. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { File, JsonObject, Step } from "../../src/index.ts";
import { openService, type Service } from "../support/engine/service.ts";
import { openServer } from "../support/servers/http-server.ts";

let server: Awaited<ReturnType<typeof openServer>>;
let service: Service;
const CSV = "name,amount\nAda,7\n";

beforeAll(async () => {
  server = await openServer(({ path: url }) => {
    if (url.startsWith("/gone")) return { status: 404, body: "no" };
    if (url.startsWith("/big")) return { body: "x".repeat(200_000) };
    const headers = { "content-type": "text/csv", "content-disposition": 'attachment; filename="list.csv"' };
    return url.startsWith("/plain/") ? { body: CSV } : { headers, body: CSV };
  });
  service = await openService({ net: server.net, limits: { fileBytes: 100_000 } });
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});

const create = (key: string, given: JsonObject): Step => ({
  type: "service",
  key,
  service: { service: "files", action: "create", input: given },
});

it("takes the name that the server gives, the end of the URL, or the given one, and detects the type", async () => {
  const { stepwell, app } = service;
  const names: File[] = [];
  for (const given of [
    { url: `${server.url}/a` },
    { url: `${server.url}/plain/my%20list.csv` },
    { url: `${server.url}/a`, name: "b.csv" },
  ]) {
    names.push(await stepwell.files.create(app, given));
  }
  expect(names.map(({ name, size, mime_type }) => [name, size, mime_type])).toEqual([
    ["list.csv", CSV.length, "text/csv"],
    ["my list.csv", CSV.length, "text/csv"],
    ["b.csv", CSV.length, "text/csv"],
  ]);
});

it("fetches once for the same key", async () => {
  const { stepwell, app } = service;
  const before = server.received.length;
  const given = { url: `${server.url}/a`, key: "once", visibility: "PUBLIC" as const };
  const [one, two] = [await stepwell.files.create(app, given), await stepwell.files.create(app, given)];
  expect(two).toEqual(one);
  expect(one.visibility).toBe("PUBLIC");
  expect(server.received.length).toBe(before + 1);
});

it("is an action of steps, whose file later steps read", async () => {
  const { run } = service;
  const ended = await run(
    [
      create("file", { url: "{{ input.url }}" }),
      {
        type: "service",
        key: "read",
        service: { service: "files", action: "read", input: { file_id: "{{ steps.file.output.id }}" } },
      },
    ],
    { url: `${server.url}/a` },
  );
  expect(ended.output).toMatchObject({ name: "list.csv", text: CSV });
});

it("fails with a clear error for an answer without a file, a large one, and a refused address", async () => {
  const { stepwell, app } = service;
  const host = new URL(server.url).host;
  const errorOf = (url: string) =>
    stepwell.files.create(app, { url }).then(
      () => null,
      ({ code, message }) => [code, message],
    );
  expect(await errorOf(`${server.url}/gone`)).toEqual([
    "fetch_failed",
    `${host} responded with 404 instead of a file.`,
  ]);
  expect((await errorOf(`${server.url}/big`))?.[0]).toBe("too_large");
  expect((await errorOf("http://10.0.0.1/a"))?.[0]).toBe("address_refused");
  expect((await errorOf("file:///etc/passwd"))?.[0]).not.toBe(null);
  expect((await stepwell.files.list(app, { search: "big" })).items).toEqual([]);
});

it.each([[{ name: "a" }], [{ name: "a", text: "b", url: "https://example.com/a" }], [{ text: "b" }]])(
  "an action with %j is refused at deployment",
  async (given) => {
    await expect(service.deploy([create("file", given)])).rejects.toMatchObject({ code: "invalid" });
  },
);
