/** Commands about what a server has: diff, logs, inbox, export, import, diagram, api and key. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasFunction } from "../../adapters/cli/api/call-function.ts";
import { apiFunctions } from "../../adapters/cli/api/functions.ts";
import { clientOf } from "../../adapters/cli/server/open-client.ts";
import { SAMPLE } from "../../adapters/cli/workflow-files/sample.ts";
import { cliOf } from "../support/cli/run-cli.ts";
import { ADMIN_KEY, type Mounted, openMounted } from "../support/client/mounted.ts";

let host: Mounted;
let folder: string;
let cli: ReturnType<typeof cliOf>;
/** A run that waits for approval. */
let waiting: string;
let workflow: string;

beforeAll(async () => {
  host = await openMounted();
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  cli = cliOf(host, { cwd: folder });
  await writeFile(join(folder, "expense.json"), JSON.stringify(SAMPLE));
  const deployed = await cli.json(["deploy", "expense.json"]);
  workflow = deployed.value[0].workflow_id;
  waiting = (await startWaiting()).id;
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

async function startWaiting() {
  return (await cli.json(["run", "Expense check", "-i", '{"employee":"Ada","amount":500}'])).value;
}

describe("stepwell deploy", () => {
  it("keeps a draft with changes that were not deployed, and says where", async () => {
    const steps = [{ type: "code", key: "one", code: "return 1" }];
    await writeFile(join(folder, "drafted.json"), JSON.stringify({ name: "Drafted", steps }));
    const [{ workflow_id }] = (await cli.json(["deploy", "drafted.json"])).value;
    const { workflows } = host.stepwell;
    const draft = { steps: [{ type: "code" as const, key: "one", code: "return 'console'" }] };
    const { revision } = await workflows.putDraft(host.app, workflow_id, draft);
    await writeFile(
      join(folder, "drafted.json"),
      JSON.stringify({ name: "Drafted", steps: [{ ...steps[0], code: "return 2" }] }),
    );
    const { code, stderr } = await cli.run(["deploy", "drafted.json"]);
    const path = `.stepwell/.drafts/${workflow_id}-${revision}.json`;
    expect(code).toBe(0);
    expect(stderr).toContain(
      `warning: The draft of "Drafted" had changes that were not deployed. drafted.json replaced it. The draft is kept in ${path}: to use it, copy it over drafted.json.`,
    );
    expect(JSON.parse(await readFile(join(folder, path), "utf8"))).toMatchObject({ name: "Drafted", ...draft });
    await workflows.putDraft(host.app, workflow_id, draft);
    const [again] = (await cli.json(["deploy", "drafted.json"])).value;
    // The file is the latest version: nothing is deployed, and the draft stays.
    expect(again).toMatchObject({ status: "unchanged" });
    expect(await workflows.getDraft(host.app, workflow_id)).toMatchObject(draft);
    await workflows.remove(host.app, workflow_id);
  });
});

describe("stepwell diff", () => {
  it("shows no differences for a deployed file", async () => {
    expect(await cli.run(["diff", "expense.json", "--exit-code"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^--- version 1 \(.*\)\n\+\+\+ expense\.json\n\nNo differences\.\n$/),
    });
  });

  it("shows what a file changes, and returns 1 with --exit-code", async () => {
    const text = JSON.stringify(SAMPLE).replace("1.19", "1.25");
    await writeFile(join(folder, "changed.json"), text);
    const { code, stdout } = await cli.run(["diff", "changed.json", "--exit-code"]);
    expect(code).toBe(1);
    expect(stdout).toContain('changed /steps/1/code (step "net")');
    const { value } = await cli.json(["diff", "changed.json"]);
    expect(value).toMatchObject({
      added: [],
      removed: [],
      moved: [],
      changed: [{ pointer: "/steps/1/code", step: "net" }],
    });
  });

  it("compares the draft with a version", async () => {
    await host.stepwell.workflows.putDraft(host.app, workflow, {
      steps: [{ type: "code", key: "net", code: "return 1" }],
    });
    const { value } = await cli.json(["diff", "Expense check", "--against", "1"]);
    expect(value.removed.map(({ step }: { step: string }) => step)).toContain("approve");
  });

  it("returns 2 for --to with a file", async () => {
    expect(await cli.run(["diff", "expense.json", "--to", "2"])).toMatchObject({ code: 2 });
  });
});

describe("stepwell inbox", () => {
  it("lists what waits, and answers it from --input", async () => {
    const { id } = await startWaiting();
    expect((await cli.run(["inbox"])).stdout).toMatch(new RegExp(`${id} +approve +\\S+ +approved`));
    const { value } = await cli.json(["inbox"]);
    expect(value.map(({ run_id }: { run_id: string }) => run_id)).toContain(id);
    expect(await cli.run(["inbox", id, "--input", '{"approved":"perhaps"}'])).toMatchObject({ code: 1 });
    expect(await cli.run(["inbox", id, "--input", '{"approved":true}'])).toMatchObject({ code: 0, stdout: "" });
    expect(await host.stepwell.runs.wait(host.app, id)).toMatchObject({ output: { booked: true } });
    expect(await cli.run(["inbox", id, "-i", "{}"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No step of the run waits for input: it is succeeded."),
    });
  });

  it("asks a person for the values", async () => {
    const { id } = await startWaiting();
    const inbox = cli.start(["inbox", id, "approve"], { isInteractive: true });
    await inbox.answer("Approve this expense", "n");
    expect(await inbox.ended).toMatchObject({ code: 0 });
    expect(await host.stepwell.runs.wait(host.app, id)).toMatchObject({ output: { booked: false } });
  });

  it("returns 2 if nobody can be asked", async () => {
    expect(await cli.run(["inbox", waiting])).toMatchObject({ code: 2, stderr: expect.stringContaining("--input") });
  });
});

describe("stepwell logs", () => {
  it("shows the steps of a run, of the newest one by default", async () => {
    const { stdout } = await cli.run(["logs", waiting]);
    expect(stdout).toMatch(new RegExp(`^${waiting} waiting\n.*expense succeeded\n`));
    expect((await cli.run(["logs"])).stdout).toMatch(/^run_\w+ /);
  });

  it("follows a run until it has ended, with one JSON document per line", async () => {
    const { id } = await startWaiting();
    const logs = cli.start(["logs", "-f", id, "--json"]);
    await cli.run(["inbox", id, "-i", '{"approved":true}']);
    const { code, stdout } = await logs.ended;
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect({ code, last: types.at(-1) }).toEqual({ code: 0, last: "run.succeeded" });
  });

  it("returns 1 for an unknown run", async () => {
    expect(await cli.json(["logs", "run_unknown"])).toMatchObject({ code: 1, value: { error: { code: "not_found" } } });
  });
});

describe("stepwell export and import", () => {
  it("move a workflow to another app", async () => {
    expect(await cli.json(["export", "Expense check", "-o", "bundle.json"])).toMatchObject({
      value: { file: "bundle.json" },
    });
    const other = await host.stepwell.apps.create({ name: "Other" });
    const { key } = await host.stepwell.keys.create(other.id, { name: "Other" });
    const { code, value } = await cli.json(["import", "bundle.json", "--key", key]);
    expect({ code, name: (await host.stepwell.workflows.get(other.id, value.workflow_id)).name }).toEqual({
      code: 0,
      name: "Expense check",
    });
    await host.stepwell.apps.remove(other.id);
  });

  it("export the whole app to standard output", async () => {
    const { code, stdout } = await cli.run(["export"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      format: "stepwell",
      workflows: [{ name: "Expense check" }],
    });
  });

  it("report the line of a problem in the document", async () => {
    await writeFile(
      join(folder, "bad.json"),
      '{\n  "format": "stepwell",\n  "format_version": 1,\n  "root": "work_x"\n}',
    );
    expect(await cli.run(["import", "bad.json"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("bad.json:4: /root: "),
    });
    expect(await cli.run(["import", "expense.json"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("stepwell deploy expense.json"),
    });
    expect(await cli.run(["import", "bundle.json", "--reuse", "x"])).toMatchObject({ code: 2 });
  });
});

describe("stepwell diagram", () => {
  it("prints Mermaid, and writes SVG to a file", async () => {
    expect(await cli.run(["diagram", "expense.json"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^flowchart TD/),
    });
    expect(await cli.run(["diagram", "Expense check", "-o", "expense.svg"])).toMatchObject({ code: 0, stdout: "" });
    expect(await readFile(join(folder, "expense.svg"), "utf8")).toMatch(/^<svg/);
    expect((await cli.json(["diagram", "Expense check"])).value).toMatchObject({
      mermaid: expect.any(String),
      svg: expect.any(String),
    });
    expect(await cli.run(["diagram", "Expense check", "--format", "png"])).toMatchObject({ code: 2 });
  });
});

describe("stepwell api", () => {
  const api = (...args: string[]) => cli.json(["api", ...args]);

  it("has a function of the client for each of its functions", () => {
    const client = clientOf({ url: host.url, key: host.key });
    expect(apiFunctions().filter((one) => !hasFunction(client, one))).toEqual([]);
  });

  it("lists with filters, and all pages", async () => {
    const found = await api("runs", "list", "--status", "waiting", "--take", "1");
    expect(found.value).toMatchObject([{ status: "waiting" }]);
    const all = await api("runs", "list", "--all", "--take", "1", "--status", "waiting", "--status", "succeeded");
    expect(all.value.length).toBeGreaterThan(1);
  });

  it("creates, updates and removes with fields of a body", async () => {
    const tag = (await api("tags", "create", "--name", '"2027"', "--color", "red")).value;
    expect(tag).toMatchObject({ name: "2027", color: "red" });
    expect((await api("tags", "update", tag.id, "--body", '{"name":"Urgent"}')).value).toMatchObject({
      name: "Urgent",
    });
    expect(await cli.run(["api", "tags", "remove", tag.id])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("sends and receives bytes, streams events, and waits", async () => {
    const collection = (await api("collections", "create", "--name", "Loans")).value;
    const job = (
      await cli.json(["api", "records", "import", collection.id, "--format", "jsonl", "--body", "-"], {
        stdin: '{"data":{"a":{"b":1}}}\n',
      })
    ).value;
    expect((await api("jobs", "wait", job.id)).value).toMatchObject({ status: "succeeded" });
    expect(await cli.run(["api", "records", "export", collection.id, "--format", "jsonl"])).toMatchObject({ code: 0 });
    const file = await host.stepwell.files.create(host.app, { name: "a.txt", body: new TextEncoder().encode("four") });
    expect(await cli.run(["api", "files", "content", file.id])).toMatchObject({ code: 0, stdout: "four" });
    await cli.run(["api", "files", "content", file.id, "-o", "a.txt"]);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("four");
    const { id } = (await cli.json(["run", "Expense check", "-i", '{"employee":"Ada","amount":5}'])).value;
    const { stdout } = await cli.run(["api", "runs", "events", id]);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ type: "run.succeeded" });
  });

  it("uses the admin key for apps and keys", async () => {
    expect((await api("me", "get")).value).toMatchObject({ app: { id: host.app } });
    expect((await api("apps", "list", "--admin-key", ADMIN_KEY)).value).toMatchObject([{ id: host.app }]);
  });

  it.each([
    [["api"], "Groups: apps, keys"],
    [["api", "run"], 'There is no group "run"'],
    [["api", "runs"], "Functions: create,"],
    [["api", "runs", "get"], "stepwell api runs get RUN_ID"],
    [["api", "runs", "get", "run_1", "--body", "{}"], "does not take --body"],
    [["api", "tags", "list", "--app"], "--app needs a value"],
  ])("returns 2 for %j", async (args, message) => {
    expect(await cli.run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });

  it("shows groups, functions and one function with --help", async () => {
    expect((await cli.run(["api", "--help"])).stdout).toMatch(/ {2}runs +Runs of workflows\.\n/);
    expect((await cli.run(["api", "runs", "--help"])).stdout).toMatch(
      / {2}retry RUN_ID +Retries a failed or canceled run/,
    );
    expect((await cli.run(["api", "runs", "retry", "--help"])).stdout).toContain(
      "POST /apps/{app_id}/runs/{run_id}/retry",
    );
  });
});

describe("stepwell key", () => {
  const key = (...args: string[]) => cli.json(["key", ...args, "--admin-key", ADMIN_KEY]);

  it("creates a key that works, lists it, and removes it", async () => {
    const created = await key("create", "--name", "CI", "--scopes", "runs:read, workflows:read");
    expect(created).toMatchObject({ code: 0, value: { name: "CI", scopes: ["runs:read", "workflows:read"] } });
    expect(await cli.run(["logs", waiting, "--key", created.value.key])).toMatchObject({ code: 0 });
    expect((await key("list")).value).toContainEqual(expect.objectContaining({ id: created.value.id }));
    expect(await key("remove", created.value.id)).toMatchObject({ code: 0 });
    expect(await cli.run(["logs", waiting, "--key", created.value.key])).toMatchObject({ code: 1 });
  });

  it("prints only the key on standard output", async () => {
    const { stdout } = await cli.run(["key", "create", "--admin-key", ADMIN_KEY]);
    expect(stdout).toMatch(/^sw_\S+\n$/);
  });

  it("returns 1 for a wrong admin key or scope, and 2 for wrong use", async () => {
    expect(await cli.run(["key", "list", "--admin-key", "wrong"])).toMatchObject({ code: 1 });
    expect(await key("create", "--scopes", "everything")).toMatchObject({
      code: 1,
      value: { error: { problems: [{ pointer: "/scopes/0" }] } },
    });
    expect(await key("delete")).toMatchObject({ code: 2 });
    expect(await key("remove")).toMatchObject({ code: 2 });
    expect(await key("list", "--name", "x")).toMatchObject({ code: 2 });
  });
});
