/** What commands suggest after a mistake, and what they say while they wait. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitingFetch } from "../../adapters/cli/server/waiting-fetch.ts";
import { SAMPLE } from "../../adapters/cli/workflow-files/sample.ts";
import { cliOf, runCli } from "../support/cli/run-cli.ts";
import { ADMIN_KEY, type Mounted, openFake, openMounted } from "../support/client/mounted.ts";

let host: Mounted;
let folder: string;
let cli: ReturnType<typeof cliOf>;

beforeAll(async () => {
  host = await openMounted();
  folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  cli = cliOf(host, { cwd: folder });
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

describe("a typing mistake", () => {
  it.each([
    [["depoly"], "Did you mean `stepwell deploy`?"],
    [["bogus"], "`stepwell --help` lists the commands."],
    [["dev", "--prot", "1"], "Did you mean --port?"],
    [["api", "run", "list"], "Did you mean runs?"],
    [["api", "runs", "lst"], "Did you mean list?"],
    [["key", "creat"], "Did you mean create?"],
    [["diagram", "X", "-f", "png"], "Invalid value for argument: --format (png)"],
    [["diagram", "X", "-o", "x.png"], "stepwell draws no PNG."],
    [["logs", "--url", "http://localhost:1?x=1#y"], "has a query or a fragment"],
  ])("returns 2 and a suggestion for %j", async (args, message) => {
    const { code, stderr } = await cli.run(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("in the workflow of the inbox returns 1, and no empty inbox", async () => {
    expect(await cli.run(["inbox", "-w", "nope"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no workflow with the name "nope".'),
    });
  });
});

describe("the hint of an error", () => {
  it.each([[["key", "list"]], [["api", "apps", "list"]]])("names --admin-key for %j", async (args) => {
    const { code, value } = await cli.json([...args, "--admin-key", "wrong"]);
    expect({ code, ...value.error }).toMatchObject({
      code: "unauthorized",
      hint: expect.stringContaining("--admin-key or STEPWELL_ADMIN_KEY"),
    });
  });

  it("names --url for a wrong path", async () => {
    const { code, stderr } = await cli.run(["logs", "--url", `${host.url}/foo`]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Correct the path in --url") });
  });

  it("says that what responds is not Stepwell, and does not ask to start it", async () => {
    const page = await openFake((_, response) => response.setHeader("content-type", "text/html").end("<p>Hello"));
    const { code, stderr } = await cli.run(["logs", "--url", page.url]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("What responds is not Stepwell.") });
    expect(stderr).not.toMatch(/option url|Start the server/);
    await page.close();
  });

  it("says to pass the address of a redirect", async () => {
    const other = await openFake((_, response) => response.writeHead(302, { location: "http://a.test/" }).end());
    const { stderr } = await cli.run(["logs", "--url", other.url]);
    expect(stderr).toMatch(/redirects to http:\/\/a\.test\/\.\nPass that address with --url/);
    await other.close();
  });

  it("asks whether a server speaks http: if TLS fails, in one line", async () => {
    const { stderr } = await cli.run(["logs", "--url", host.url.replace("http:", "https:")]);
    expect(stderr).toMatch(/^error: GET https:.*\nDoes the server use http: instead of https:\?/m);
  });
});

describe("waitingFetch", () => {
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  const never = () => new Promise<Response>(() => undefined);

  it("says once what is waited for, but not during a long poll", async () => {
    const send = waitingFetch({ onNotice, isPatient: false, send: never, silentMs: 0 });
    void send("http://a.test/x", { headers: { prefer: "wait=9999" } });
    void send("http://a.test/x", {});
    void send("http://a.test/y", {});
    await expect.poll(() => notices.length).toBe(1);
    expect(notices.splice(0)).toEqual([expect.stringMatching(/^Waiting for http:\/\/a\.test to respond/)]);
  });

  it("says once that the connection is lost, until there is a response, if requests are repeated for long", async () => {
    let isLost = true;
    const answer = async () => {
      if (isLost) throw new TypeError("fetch failed");
      return new Response();
    };
    const impatient = waitingFetch({ onNotice, isPatient: false, send: answer });
    await expect(impatient("http://a.test/", {})).rejects.toThrow();
    expect(notices).toEqual([]);
    const send = waitingFetch({ onNotice, isPatient: true, send: answer });
    for (const _ of [1, 2]) await expect(send("http://a.test/", {})).rejects.toThrow();
    expect(notices.splice(0)).toEqual(["No connection to http://a.test. Trying again …"]);
    isLost = false;
    await send("http://a.test/", {});
    isLost = true;
    await expect(send("http://a.test/", {})).rejects.toThrow();
    expect(notices.splice(0).length).toBe(1);
  });
});

describe("stepwell api GROUP FUNCTION --help", () => {
  it("lists the fields of the body with their types and comments", async () => {
    const { stdout } = await cli.run(["api", "schedules", "create", "--help"]);
    expect(stdout).toMatch(/ {2}--workflow-id +string, required +Workflow to run\.\n/);
    expect(stdout).toMatch(/ {2}--missed +skip\|once\|all /);
    expect(stdout).toMatch(/ {2}key, in --body +string /);
  });

  it("lists the fields of the query", async () => {
    const { stdout } = await cli.run(["api", "runs", "list", "--help"]);
    expect(stdout).toMatch(/ {2}--take +integer +Items per page/);
    expect(stdout).toMatch(/ {2}--status +list of queued\|running\|/);
  });
});

describe("stepwell init", () => {
  it("prints steps from the first command to the first run", async () => {
    const { stdout } = await runCli(["init", "my project", "--host", "next"], { cwd: folder });
    const steps = stdout.slice(stdout.indexOf("Next:"));
    expect(steps).toMatch(/^ {2}cd 'my project'\n {2}npm install stepwell valibot next react react-dom$/m);
    for (const name of ["STEPWELL_ADMIN_KEY", "STEPWELL_SECRET", "STEPWELL_URL", "STEPWELL_KEY"]) {
      expect(steps).toContain(`export ${name}=`);
    }
  });

  it("says that a kept file is of another host", async () => {
    const cwd = join(folder, "kept");
    await mkdir(cwd);
    await runCli(["init", "--host", "hono"], { cwd });
    const again = await runCli(["init", "--host", "hono"], { cwd });
    expect(again.stdout).not.toContain("is not the one");
    const { stdout } = await runCli(["init", "--host", "express"], { cwd });
    expect(stdout).toContain("server.mjs is not the one for Express: mount Stepwell in it, or pass --force.");
    expect(await readFile(join(cwd, "server.mjs"), "utf8")).toContain("Hono");
  });

  it("prints a step that creates an app with its key", async () => {
    const key = await cli.json(["key", "create", "--new-app", "Main", "--admin-key", ADMIN_KEY]);
    expect(key).toMatchObject({ code: 0, value: { key: expect.stringMatching(/^sw_/) } });
    const me = await cli.json(["api", "me", "get", "--key", key.value.key]);
    expect(me.value.app).toMatchObject({ name: "Main" });
    expect(await cli.run(["key", "create", "--new-app", "A", "--app", "B"])).toMatchObject({ code: 2 });
    await host.stepwell.apps.remove(me.value.app.id);
  });
});

describe("a form", () => {
  const INPUT = {
    day: { type: "date", order: 1 },
    at: { type: "datetime", order: 2 },
    o: { type: "object", optional: true, order: 3, fields: { x: { type: "number" } } },
  };

  beforeAll(async () => {
    const steps = [
      { type: "input", key: "ask", input: INPUT, destinations: ["end"] },
      { type: "code", key: "end", code: "return input" },
    ];
    await writeFile(join(folder, "form.json"), JSON.stringify({ name: "Form", steps }));
    await writeFile(join(folder, "expense.json"), JSON.stringify(SAMPLE));
    await cli.run(["deploy", "form.json", "expense.json"]);
  });

  it("checks dates as the server does, and lets an optional object be skipped", async () => {
    const run = cli.start(["run", "Form"], { isInteractive: true });
    await run.answer("day", "2026-13-45\r");
    await run.answer("Must be a date such as", "\u0015");
    run.type("2026-12-31\r");
    await run.answer("at", "2026-01-02\r");
    await run.answer("Must be an ISO 8601 date and time", "\u0015");
    run.type("2026-01-02T10:00:00Z\r");
    await run.answer("fill in?", "n");
    const { code, stdout } = await run.ended;
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      day: "2026-12-31",
      at: "2026-01-02T10:00:00Z",
      o: null,
    });
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ])("returns 1 with a message for %s", async (_, key) => {
    const run = cli.start(["run", "Form"], { isInteractive: true });
    await run.answer("day", key);
    expect(await run.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: Canceled\.\n$/) });
  });

  it("of a run that waits says so, and how to answer, when it is left", async () => {
    const run = cli.start(["run", "Expense check", "-i", '{"employee":"Ada","amount":200}'], { isInteractive: true });
    await run.answer("Approve this expense", "\u0003");
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /error: You left the form\. Run (run_\w+) still waits at approve\.\nAnswer: stepwell inbox \1 approve; follow: stepwell logs -f \1\n$/,
      ),
    });
  });
});
