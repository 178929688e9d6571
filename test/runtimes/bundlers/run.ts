/**
 * Bundles that take too long for the tests: `npm run bundlers` builds a Next.js app and a Bun executable, uses them, and
 * prints what their clients see.
 */

import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { freePort } from "../../support/free-port.ts";
import setup, { root } from "../build.ts";
import { RUNTIMES, type Started, start } from "../host.ts";
import { ADMIN_KEY } from "../target.ts";
import { createProject, removeProject } from "./project.ts";
import { exerciseServer } from "./scenario.ts";

const run = promisify(execFile);
const NEXT = [...RUNTIMES.node, join(root, "node_modules/next/dist/bin/next")];
/** Next.js resolves packages from here only, so projects are below this folder. */
const CACHE = join(root, "node_modules/.cache/stepwell");
const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

const ROUTE = `
import { createStepwell } from "stepwell";

const { ADMIN_KEY: adminKey, BASE_URL: baseUrl } = process.env;
globalThis.stepwell ??= createStepwell({ adminKey, baseUrl, models: { any: () => ({}) } });
const handle = (request) => globalThis.stepwell.fetch(request);
export { ${METHODS.map((method) => `handle as ${method}`).join(", ")} };
`;
/** Without JSX, which Next.js doesn't compile in this place. */
const LAYOUT = `
import { createElement } from "react";

export default ({ children }) => createElement("html", null, createElement("body", null, children));
`;

/** @param flag The bundler: none for Turbopack, or `--webpack`. */
async function next(...flag: string[]): Promise<void> {
  const project = await createProject(["mammoth", "unpdf"], CACHE);
  const route = join(project, "app/api/[[...path]]");
  await mkdir(route, { recursive: true });
  await writeFile(join(project, "app/layout.js"), LAYOUT);
  await writeFile(join(route, "route.js"), ROUTE);
  const [program = "", ...args] = NEXT;
  await run(program, [...args, "build", ...flag], { cwd: project });
  await rm(join(project, "node_modules"), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api`;
  const command = [...NEXT, "start", "--port", String(port)];
  const server = await start(command, { ADMIN_KEY, BASE_URL: url }, (line) => line.includes("Ready"), project);
  await report(["next build", ...flag].join(" "), server, url);
  await removeProject(project);
}

async function bunExecutable(): Promise<void> {
  const project = await createProject(["mammoth", "unpdf"]);
  await cp(join(root, "test/runtimes/bundlers/server.js"), join(project, "server.js"));
  const [program = ""] = RUNTIMES.bun;
  await run(program, ["build", "server.js", "--compile", "--outfile=server"], { cwd: project });
  await rm(join(project, "node_modules"), { recursive: true });
  const env = { ADMIN_KEY, STORAGE: join(project, "data") };
  const server = await start([join(project, "server")], env, (line) => line.startsWith("listening on "), project);
  await report("bun build --compile", server, server.ready.slice("listening on ".length));
  await removeProject(project);
}

async function report(name: string, server: Started, url: string): Promise<void> {
  const found = await exerciseServer(url);
  const isRight = found.status === "succeeded" && found.output === 24 && found.sheet.includes("Ann and Co");
  console.log(name, isRight ? "works" : "FAILS", found);
  if (!isRight) process.exitCode = 1;
  await server.stop("SIGKILL");
}

await setup();
await bunExecutable();
await next();
await next("--webpack");
