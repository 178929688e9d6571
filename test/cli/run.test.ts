/** `stepwell deploy` and `stepwell run` against a mounted server. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleText } from "../../adapters/cli/workflow-files/sample.ts";
import { cliOf, runCli } from "../support/cli/run-cli.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";
import { until } from "../support/until.ts";

let host: Mounted;
let folder: string;
let cli: ReturnType<typeof cliOf>;

beforeAll(async () => {
  host = await openMounted();
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  cli = cliOf(host, { cwd: folder });
  await writeFile(join(folder, "expense.json"), sampleText());
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

const save = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));

describe("stepwell deploy", () => {
  it("creates the workflow of a file, and deploys a new version only if the file differs", async () => {
    await save("greeting.json", { name: "Greeting", steps: [{ type: "code", key: "greet", code: "return 'Hello'" }] });
    const first = await cli.json(["deploy", "greeting.json"]);
    expect(first).toMatchObject({ code: 0, value: [{ name: "Greeting", status: "deployed", version: 1 }] });
    const again = await cli.json(["deploy", "greeting.json"]);
    expect(again.value).toMatchObject([{ status: "unchanged", version: 1, workflow_id: first.value[0].workflow_id }]);
    await save("greeting.json", { name: "Greeting", steps: [{ type: "code", key: "greet", code: "return 'Hi'" }] });
    expect((await cli.json(["deploy", "greeting.json", "--dry-run"])).value).toMatchObject([{ status: "valid" }]);
    expect((await cli.json(["deploy", "greeting.json", "--notes", "Shorter"])).value).toMatchObject([{ version: 2 }]);
    const { notes } = await host.stepwell.workflows.getVersion(host.app, first.value[0].workflow_id, "latest");
    expect(notes).toBe("Shorter");
  });

  it("reports each problem with the line of the file, leaves no workflow, and returns 1", async () => {
    await save(
      "broken.json",
      '{\n  "name": "Broken",\n  "steps": [\n    { "type": "code", "key": "a", "code": "return 1",\n      "destinations": ["b"] }\n  ]\n}',
    );
    const { code, stderr, stdout } = await cli.run(["deploy", "broken.json"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/broken\.json:5: \/steps\/0\/destinations\/0: /);
    const { items } = await host.stepwell.workflows.list(host.app, { search: "Broken" });
    expect(items).toEqual([]);
    const asJson = await cli.json(["deploy", "broken.json"]);
    expect(asJson.value.error.problems).toMatchObject([
      { file: "broken.json", line: 5, pointer: "/steps/0/destinations/0" },
    ]);
  });

  it("reports the line of a syntax error", async () => {
    await save("syntax.json", '{\n  "name": "X",\n  "steps": [,]\n}');
    expect(await cli.run(["deploy", "syntax.json"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: syntax\.json:3: not valid JSON/),
    });
  });

  it.each([
    [["deploy", "nowhere.json"], /There is no file nowhere\.json/],
    [["deploy"], /There are no files workflows\/\*\.json/],
    [["deploy", "expense.json", "greeting.json", "--workflow", "work_1"], /--workflow needs exactly one file/],
    [["deploy", "expense.json", "--note", "x"], /Unknown option '--note'/],
    [["deploy", "expense.json", "--notes"], /--notes/],
  ])("returns 2 for %j", async (args, message) => {
    expect(await cli.run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });
});

describe("stepwell run", () => {
  beforeAll(async () => {
    await cli.run(["deploy", "expense.json"]);
    await save("failing.json", {
      name: "Failing",
      steps: [{ type: "code", key: "fail", code: "console.log('before'); throw new Error('no luck')" }],
    });
    await cli.run(["deploy", "failing.json"]);
  });

  it("prints a line for each step, and the output", async () => {
    const { code, stdout, stderr } = await cli.run([
      "run",
      "Expense check",
      "--input",
      '{"employee":"Ada","amount":40}',
    ]);
    expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: { booked: true, net: 33.61 } });
    expect(stderr).toMatch(/\d\d:\d\d:\d\d {2}net succeeded\n/);
    expect(stderr).toContain("approve skipped");
  });

  it("redraws a line for each step in a terminal", async () => {
    const { code, stderr } = await cli.run(["run", "Expense check", "-i", '{"employee":"Ada","amount":40}'], {
      isTerminal: true,
    });
    expect(code).toBe(0);
    const last = stderr.split("\u001b[5A\u001b[J").at(-1) ?? "";
    expect(last.replace(/\d+ ms|\d+\.\d s/g, "TIME").replace(/ +\n/g, "\n")).toBe(
      [
        "✓ expense  succeeded  TIME",
        "✓ net      succeeded  TIME",
        "✓ size     succeeded  TIME",
        "- approve  skipped",
        "✓ book     succeeded  TIME",
        "",
      ].join("\n"),
    );
  });

  it("says how to pass the input if it is missing", async () => {
    expect(await cli.run(["run", "Expense check"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--input"),
    });
  });

  it("ends when it is interrupted, and says how to follow the run", async () => {
    const interrupted = new AbortController();
    await save("long.json", {
      name: "Long",
      steps: [
        { type: "service", key: "wait", service: { service: "scheduler", action: "delay", input: { seconds: 3_600 } } },
      ],
    });
    expect(await cli.run(["deploy", "long.json"])).toMatchObject({ code: 0, stderr: "" });
    const run = cli.start(["run", "Long"], { signal: interrupted.signal });
    await until(() => run.messages.text.includes("wait waiting"));
    interrupted.abort();
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/stepwell logs -f run_\w+\nerror: Interrupted\.\n$/),
    });
  });

  it("reads the input from a file or standard input, and prints the run as JSON", async () => {
    await save("input.json", { employee: "Ada", amount: 10 });
    expect(await cli.json(["run", "expense.json", "-i", "input.json"])).toMatchObject({
      code: 0,
      value: { status: "succeeded" },
    });
    const piped = await cli.json(["run", "Expense check", "-i", "-"], { stdin: '{"employee":"Ada","amount":10}' });
    expect(piped.value.output).toEqual({ booked: true, net: 8.4 });
  });

  it("returns 3 for a run that fails, with the reason and the logs", async () => {
    const { code, stderr } = await cli.run(["run", "Failing"]);
    expect(code).toBe(3);
    expect(stderr).toContain("fail | before");
    expect(stderr).toMatch(/failed: step fail: code_failed: .*no luck/);
  });

  it("returns 1 with a pointer for each invalid value", async () => {
    const { code, value } = await cli.json(["run", "Expense check", "-i", '{"amount":"much"}']);
    expect(code).toBe(1);
    const pointers = value.error.problems.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual(["/input/amount", "/input/employee"]);
  });

  it("returns 0 when the run waits for input and nobody can be asked", async () => {
    const { code, stderr, stdout } = await cli.run(["run", "Expense check", "-i", '{"employee":"Ada","amount":400}']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/Run run_\w+ is waiting at approve\.\nAnswer: stepwell inbox run_\w+ approve/);
  });

  it("asks a person for the input, and for the input of a step that waits", async () => {
    const run = cli.start(["run", "Expense check"], { isInteractive: true });
    await run.answer("Who spent it", "Ada\r");
    await run.answer("Amount in euros", "200\r");
    await run.answer("For what, optional", "\r");
    await run.answer("Approve this expense", "y");
    const { code, stdout } = await run.ended;
    expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: { booked: true, net: 168.07 } });
  });

  it("uploads files for fields", async () => {
    await save("files.json", {
      name: "Sizes",
      input: { documents: { type: "file" } },
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["size"] },
        { type: "code", key: "size", code: "return input.documents.map(({ name, size }) => [name, size])" },
      ],
    });
    await save("a.txt", "four");
    expect(await cli.run(["deploy", "files.json"])).toMatchObject({ code: 0, stderr: "" });
    const { code, value } = await cli.json(["run", "Sizes", "-f", "documents=a.txt", "--tag", "one", "--tag", "two"]);
    expect({ code, ...value }).toMatchObject({ code: 0, output: [["a.txt", 4]], tags: ["one", "two"] });
  });

  it("prints only the id with --detach", async () => {
    const { code, stdout } = await cli.run(["run", "Failing", "--detach"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^run_\w+\n$/) });
  });

  it("returns 1 for an unknown workflow and lists the known ones", async () => {
    expect(await cli.run(["run", "Expenses"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"Expense check"'),
    });
  });

  it("returns 1 for an unknown key, 4 if nothing listens, and 2 without an address", async () => {
    expect(await cli.run(["run", "X", "--key", "sw_unknown"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--key"),
    });
    expect(await cli.run(["run", "X", "--url", "http://127.0.0.1:9"])).toMatchObject({ code: 4 });
    expect(await cli.run(["run", "X", "--url", "nowhere"])).toMatchObject({ code: 2 });
    expect(await runCli(["run", "X"], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("stepwell dev"),
    });
  });
});
