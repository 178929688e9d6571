/** The examples of the reference are complete: they run as they are printed, and all three send the same. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { appOf, type Given } from "../../adapters/console/app/reference/call.ts";
import { clientExample } from "../../adapters/console/app/reference/client-example.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "../../adapters/console/app/reference/document.ts";
import { exampleBody } from "../../adapters/console/app/reference/example-body.ts";
import { type Call, curlExample, fetchExample } from "../../adapters/console/app/reference/examples.ts";
import { exampleObject } from "../../adapters/console/app/reference/object-parameter.ts";
import { type ClientOptions, createClient } from "../../src/client/index.ts";
import { readBracketParameters } from "../../src/collections/records/find/bracket-parameters.ts";

const document: OpenApiDocument = JSON.parse(readFileSync("openapi.json", "utf8"));
const operations = operationsOf(document);
const server = "https://example.com/automation";

function callOf(operation: Operation, values: Given["values"] = {}): Call {
  return { operation, given: { values, body: exampleBody(document, operation) }, server };
}

function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly key: string | null;
  readonly type: string | null;
  /** Headers that some operations need. */
  readonly needed: readonly string[];
  readonly body: unknown;
}

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;

const IMPORTS = ['import { createClient } from "stepwell/client";\n', 'import { readFile } from "node:fs/promises";\n'];
const FILE = "the bytes of a file";
const needed = (headers: Headers) => ["stepwell-console", "accept"].map((name) => headers.get(name) ?? "");

/** Runs a program, which sees only what the platform and its import give it. */
async function run(program: string): Promise<Sent | undefined> {
  const sent: Sent[] = [];
  async function send(url: string, { method = "GET", headers, body }: RequestInit = {}): Promise<Response> {
    const request = new Headers(headers);
    const type = request.get("content-type");
    const content =
      body instanceof FormData ? await filesOf(body) : contentOf(type, typeof body === "string" ? body : null);
    const key = request.get("authorization");
    sent.push({ url: plain(url), method, key, type, needed: needed(request), body: content });
    return Response.json([]);
  }
  const env = { STEPWELL_KEY: "secret", STEPWELL_ADMIN_KEY: "admin" };
  const platform = { process: { env }, console: { log() {} }, fetch: send, TextDecoderStream };
  const imported = {
    createClient: (options: ClientOptions) => createClient({ ...options, fetch: send, retries: 0 }),
    readFile: async () => FILE,
  };
  const used = IMPORTS.find((one) => program.startsWith(one)) ?? "";
  const given = used === "" ? platform : { ...platform, ...imported };
  const code = `"use strict"; ${program.replace(used, "")}`;
  await AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  expect(sent).toHaveLength(1);
  return sent[0];
}

/** Names and contents of the files of a form. */
async function filesOf(form: FormData): Promise<unknown> {
  const entries: [string, string][] = [];
  for (const [field, file] of form.entries()) {
    if (typeof file === "string") throw new Error(`${field} is no file.`);
    expect(await file.text()).toBe(FILE);
    entries.push([field, file.name]);
  }
  return { form: entries };
}

/** Prints its arguments, each on a line of its own as JSON does, in place of curl. */
const CURL = `curl() { printf '%s\\001' "$@"; printf '\\002'; }; STEPWELL_KEY=secret; STEPWELL_ADMIN_KEY=admin; `;

/** Runs commands in a shell. */
async function runInShell(commands: readonly string[]): Promise<readonly Sent[]> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `${CURL}${commands.join("\n")}`], { maxBuffer: 2 ** 26 });
  return stdout.split("\u0002").slice(0, -1).map(sentBy);
}

function sentBy(text: string): Sent {
  const args = text.split("\u0001").slice(0, -1);
  const after = (option: string) => args.flatMap((one, at) => (one === option ? [args[at + 1] ?? ""] : []));
  const url = args.find((one) => one.startsWith(server)) ?? "";
  const headers = new Headers(
    after("-H").map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]),
  );
  const [body] = [...after("-d"), ...after("--data-raw")];
  expect(url).not.toMatch(/[{}[\]]/);
  const type = headers.get("content-type");
  expect(type !== null).toBe(body !== undefined);
  const form = after("-F").map((one) => /^(\w+)=@"(.*)"$/.exec(one)?.slice(1));
  return {
    url: plain(url),
    method: after("-X")[0] ?? "GET",
    key: headers.get("authorization"),
    type,
    needed: needed(headers),
    body: form.length > 0 ? { form } : contentOf(type, body ?? null),
  };
}

/** JSON may be indented in one example, and not in the other. */
const contentOf = (type: string | null, text: string | null): unknown =>
  type === "application/json" && text !== null ? JSON.parse(text) : text;

/** With the same encoding of each character. */
function plain(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  return `${origin}${pathname.split("/").map(decodeURIComponent).join("/")}?${searchParams}`;
}

const HOSTILE = "a'b\"c$d`e`!f g/{h}[i]\\é";

/** A value for each parameter that is one text, number or yes or no. */
function valuesOf({ parameters = [] }: Operation): Given["values"] {
  const entries = parameters.flatMap(({ name, in: place, schema }): (readonly [string, string])[] => {
    if (place === "header") return [];
    if (schema?.type === "integer") return [[name, "7"]];
    if (schema?.type === "boolean") return [[name, "true"]];
    return schema?.type === "string" && schema.enum === undefined ? [[name, HOSTILE]] : [];
  });
  return Object.fromEntries(entries);
}

const STREAMS = /^(apps\.stream|runs\.events)$/;

describe.each([
  ["without values", () => ({ app_id: "me" })],
  ["with values", valuesOf],
] as const)("the examples of all operations %s", (_, valuesFor) => {
  const calls = operations.map((operation) => callOf(operation, valuesFor(operation)));

  it("send the same with fetch and with the client", async () => {
    let count = 0;
    for (const call of calls) {
      const { operation } = call;
      const sent = await run(fetchExample(call));
      expect(sent).toMatchObject({ method: operation.method, url: expect.stringContaining(server) });
      const program = clientExample(call);
      if (program === null || STREAMS.test(operation.operationId)) continue;
      // The client names what it accepts in each request.
      expect(await run(program), program).toEqual({ ...sent, needed: [expect.anything(), expect.anything()] });
      count++;
    }
    expect(count).toBeGreaterThan(100);
  });

  it.skipIf(process.platform === "win32")("send the same with curl (not on Windows: it has no sh)", async () => {
    const sent: (Sent | undefined)[] = [];
    for (const call of calls) sent.push(await run(fetchExample(call)));
    expect(await runInShell(calls.map(curlExample))).toEqual(sent);
  });
});

it("name what people fill in", () => {
  const call = callOf(operationOf("runs.create"), { app_id: "me" });
  expect(curlExample(call).split("\n")[0]).toBe('WORKFLOW_ID="…"');
  expect(fetchExample(call)).toContain('const workflowId = "…";');
  expect(clientExample(call)).toContain('client.runs.create("me", workflowId, {');
  const filled = callOf(operationOf("rules.get"), { app_id: "me", collection_id: "coll_1" });
  expect(clientExample(filled)).toContain('const ruleKey = "…";');
  expect(clientExample(filled)).toContain('client.rules.get("me", "coll_1", ruleKey);');
});

it("leave the variable alone by which a shell finds its commands", () => {
  const command = curlExample(callOf(operationOf("console.file")));
  expect(command.split("\n")).toEqual(['CONSOLE_PATH="…"', `curl "${server}/console/\${CONSOLE_PATH}"`]);
});

it("begin with a body that has what its schema requires", () => {
  const bodyOf = (id: string) => JSON.parse(exampleBody(document, operationOf(id)) ?? "null");
  expect(bodyOf("tags.create")).toEqual({ name: "Urgent", color: "red" });
  expect(bodyOf("records.upsert")).toMatchObject({ path: "loan:number", value: "A-7" });
  expect(bodyOf("runs.create")).toEqual({});
  expect(bodyOf("mappings.put")).toEqual([{ source_path: "borrower:name", destination_paths: ["loan:borrower"] }]);
  expect(bodyOf("hookRequests.post")).toEqual({});
  expect(bodyOf("tags.list")).toBeNull();
});

it("print the events of a stream one by one", () => {
  const call = callOf(operationOf("apps.stream"), { app_id: "me" });
  expect(curlExample(call)).toContain("curl -N ");
  expect(fetchExample(call)).toContain("for await (const text of response.body");
  expect(clientExample(call)).toContain('for await (const event of client.apps.stream("me"))');
});

it("send a text where an operation takes no JSON", () => {
  const call = callOf(operationOf("records.import"), { app_id: "me", collection_id: "coll_1" });
  expect(curlExample(call)).toContain('-H "Content-Type: text/csv"');
  expect(fetchExample(call)).toContain(String.raw`  body: "loan:number,loan:amount\nA-7,90000\n",`);
  expect(exampleBody(document, operationOf("uploads.append"))).toBeNull();
});

it("upload a file where an operation takes one", () => {
  const call = callOf(operationOf("files.receive"), { upload_id: "up_1" });
  expect(curlExample(call)).toContain(`-F 'file=@"report.pdf"'`);
  expect(curlExample(call)).not.toContain("Content-Type");
  expect(fetchExample(call)).toContain('form.set("file", new File([await readFile("report.pdf")], "report.pdf"));');
});

it("name the admin key where the key of an app may do nothing", () => {
  for (const { operation, ...call } of operations.map((one) => callOf(one))) {
    const isForAdmin = /^(apps\.(create|list|get|update|remove)|keys\..*)$/.test(operation.operationId);
    const texts = [curlExample, fetchExample].map((example) => example({ operation, ...call }));
    for (const text of texts) expect(text.includes("STEPWELL_ADMIN_KEY"), text).toBe(isForAdmin);
  }
});

it("name the app by its id where nobody sends a key", () => {
  const apps = (id: string) => [appOf(operationOf(id), "app_1"), appOf(operationOf(id), null)];
  expect(apps("hookRequests.post")).toEqual(["app_1", ""]);
  expect(apps("apps.get")).toEqual(["app_1", ""]);
  expect(apps("runs.list")).toEqual(["me", "me"]);
  expect(apps("files.get")).toEqual(["me", "me"]);
});

const searchOf = (sent: Sent | undefined) => decodeURIComponent(new URL(sent?.url ?? "").search.slice(1));

it.each([
  ["runs.list", "metadata", '{"customer":"c_17"}', "metadata[customer]=c_17"],
  ["runs.list", "metadata", '{"customer":{"id":7}}', "metadata[customer][id]=7"],
  ["records.list", "rule_result", '{"credit":"FAIL"}', "rule_result[credit]=FAIL"],
  [
    "records.list",
    "filter",
    '{"loan:amount":{"gte":1000},"loan:open":true}',
    "filter[loan:amount][gte]=1000&filter[loan:open][eq]=true",
  ],
])("send the objects of %s in the query: %s", async (id, name, json, query) => {
  const call = callOf(operationOf(id), { app_id: "me", collection_id: "coll_1", [name]: json });
  const sent = [await run(fetchExample(call)), await run(clientExample(call) ?? "")];
  expect(sent.map(searchOf)).toEqual([query, query]);
});

const filterSchema = operationOf("records.list").parameters?.find(({ name }) => name === "filter")?.schema ?? {};

it.each([
  [exampleObject(filterSchema), { field: "loan:amount", op: "gte", value: 1000 }],
  ['{"loan:amount":{"gte":"1000"}}', { field: "loan:amount", op: "gte", value: "1000" }],
  ['{"loan:code":{"in":["a,b","c"]}}', { field: "loan:code", op: "in", value: ["a,b", "c"] }],
  ['{"loan:open":"true"}', { field: "loan:open", op: "eq", value: "true" }],
  ['{"loan:open":true}', { field: "loan:open", op: "eq", value: true }],
])("send the filter %s as it is typed", async (filter, condition) => {
  const call = callOf(operationOf("records.list"), { app_id: "me", collection_id: "coll_1", filter });
  const sent = [await run(fetchExample(call)), await run(clientExample(call) ?? "")];
  const read = sent.map((one) =>
    v.parse(
      readBracketParameters(v.object({ filter: v.unknown() })),
      Object.fromEntries(new URL(one?.url ?? "").searchParams),
    ),
  );
  expect(read).toEqual([{ filter: [condition] }, { filter: [condition] }]);
});

it("have no client for what it has no function for", () => {
  const withClient = operations.filter((operation) => clientExample(callOf(operation)) !== null);
  const ids = withClient.map(({ operationId }) => operationId);
  expect(ids).toEqual(expect.arrayContaining(["me.get", "files.createUpload", "runs.events", "runs.create"]));
  for (const id of ["console.open", "openapi.get", "files.content", "records.export"]) expect(ids).not.toContain(id);
});
