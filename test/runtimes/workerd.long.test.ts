/** Stepwell in a Durable Object of Cloudflare's runtime, bundled as Wrangler does it. */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCKS } from "../support/examples/guides.ts";
import { createProject, removeProject } from "./bundlers/project.ts";
import { calculation, runOf, textOf } from "./bundlers/scenario.ts";
import { ADMIN_KEY, openTarget, type Target } from "./target.ts";

const echo = createServer((request, response) => void request.pipe(response));
let project: string;
let modules: { type: "ESModule" | "CompiledWasm"; path: string; contents: Uint8Array }[];
let allowed: string;
const running: Miniflare[] = [];

beforeAll(async () => {
  project = await createProject([]);
  const { outputFiles } = await build({
    stdin: { contents: workerOfGuide(), resolveDir: project },
    bundle: true,
    format: "esm",
    platform: "browser",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    loader: { ".wasm": "copy" },
    outdir: join(project, "out"),
    entryNames: "worker",
    write: false,
  });
  modules = outputFiles
    .map(({ path, contents }) => ({
      type: path.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
      path,
      contents,
    }))
    .sort((one, other) => other.type.localeCompare(one.type)); // the first one is the entry
  await once(echo.listen(0, "127.0.0.1"), "listening");
  const address = echo.address();
  allowed = typeof address === "object" ? `127.0.0.1:${address?.port}` : "";
});
afterAll(async () => {
  await Promise.all(running.map((miniflare) => miniflare.dispose()));
  echo.close();
  await removeProject(project);
});

/** The program of the guide, with settings for the tests. */
function workerOfGuide(): string {
  const block = BLOCKS.find(({ code }) => code.includes("cloudflare:workers"));
  const settings = "adminKey: this.env.ADMIN_KEY, net: { allow: [this.env.ALLOWED] }";
  return `${block?.code}`
    .replace("createStepwell({", `createStepwell({ ${settings},`)
    .replace("sandbox: ", "sandbox: this.env.SANDBOX === 'default' ? undefined : ");
}

async function startWorker(sandbox: "inline" | "default"): Promise<Target> {
  const miniflare = new Miniflare({
    modules,
    modulesRoot: join(project, "out"),
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { WORKFLOWS: "Workflows" },
    bindings: { ADMIN_KEY, ALLOWED: allowed, SANDBOX: sandbox },
  });
  running.push(miniflare);
  const { origin } = await miniflare.ready;
  return openTarget({ url: origin, publicUrl: "https://example.com", readsJson: false, sendsLength: true, allowed });
}

describe("A Durable Object", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startWorker("inline");
  });

  async function runCode(code: string) {
    const { steps } = await runOf(target, [{ type: "code", key: "code", code }]);
    return steps[0];
  }

  it("runs code, CEL and patterns", async () => {
    const { status, steps } = await runOf(target, calculation(), { n: 12 });
    expect(status).toBe("succeeded");
    expect(steps[1]).toMatchObject({ key: "code", output: 24, logs: ["/path"] });
  });

  it("sends HTTP requests to permitted addresses only", async () => {
    const request = (url: string) => ({ type: "http_request", key: "call", url, method: "POST", body: "hello" });
    const { steps } = await runOf(target, [request(`http://${allowed}/`)]);
    expect(steps[0].output).toMatchObject({ status: 200, body: "hello" });
    const refused = await runOf(target, [request("http://127.0.0.2/")]);
    expect(refused.steps[0].error.code).toBe("address_refused");
  });

  it("stores an upload and says that it has no thread to read its text", async () => {
    expect(await textOf(target, "orders.csv", "name,total\n")).toContain("this runtime has no worker threads");
  });

  it("ends code that exceeds its memory", async () => {
    expect(await runCode("const all = []; for (;;) all.push({})")).toMatchObject({
      error: { code: "code_limit", message: expect.stringContaining("bytes of memory") },
    });
  });

  it("says which sandbox it needs", async () => {
    const other = await startWorker("default");
    const { steps } = await runOf(other, [{ type: "code", key: "code", code: "return 1" }]);
    expect(steps[0].error.message).toContain("createInlineSandbox({ wasm })");
  });
});
