/** `stepwell dev` deploys a file whose workflow was changed in the console: nothing is replaced silently, and nothing is lost. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFolderDeployment, DEV_USER } from "../../adapters/cli/dev/deploy-folder.ts";
import type { Reporter } from "../../adapters/cli/dev/reporter.ts";
import { clientOf } from "../../adapters/cli/server/open-client.ts";
import type { Shell } from "../../adapters/cli/terminal/shell.ts";
import { namedFilesIn } from "../../adapters/cli/workflow-files/named-files.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

const codeOf = (code: string) => ({ steps: [{ type: "code" as const, key: "one", code }] });

let folder: string;
let mounted: Mounted;
let workflow: string;
let warnings: string[];
let problems: unknown[];
let deployment: ReturnType<typeof createFolderDeployment>;

const save = (code: string) =>
  writeFile(join(folder, "workflows/a.json"), JSON.stringify({ name: "A", ...codeOf(code) }));
const deploy = async () => {
  await deployment.deploy(clientOf(mounted, { user: DEV_USER }));
  expect(problems).toEqual([]);
};
const latest = async () => (await mounted.stepwell.workflows.getVersion(mounted.app, workflow, "latest")).version;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-dev-"));
  await mkdir(join(folder, "workflows"));
  mounted = await openMounted();
  warnings = [];
  problems = [];
  const shell: Shell = {
    ...{ env: {}, cwd: folder, isInteractive: false, signal: new AbortController().signal },
    ...{ input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() },
  };
  const nothing = () => undefined;
  const reporter: Reporter = {
    ...{ listening: nothing, deployed: nothing, loading: nothing, note: nothing },
    invalid: (_, error) => void problems.push(error),
    warning: (text) => void warnings.push(text),
  };
  deployment = createFolderDeployment(shell, reporter);
  await save("return 1");
  await deploy();
  workflow = (await mounted.stepwell.workflows.list(mounted.app)).items[0]?.id ?? "";
});
afterEach(async () => {
  await mounted.close();
  await rm(folder, { recursive: true });
});

it("says nothing where only files have changed", async () => {
  await save("return 2");
  await deploy();
  expect(await latest()).toBe(2);
  expect(warnings).toEqual([]);
});

it.each([
  ["by the host", () => mounted.stepwell.workflows.deploy(mounted.app, workflow)],
  ["with the key of the command", () => clientOf(mounted).workflows.deploy("me", workflow)],
])("warns when a file replaces a version that was deployed %s, and names it", async (_, deployElsewhere) => {
  const { stepwell, app } = mounted;
  await stepwell.workflows.putDraft(app, workflow, codeOf("return 'console'"));
  await deployElsewhere();
  await save("return 2");
  await deploy();
  expect(await latest()).toBe(3);
  expect(warnings).toEqual([
    'workflows/a.json replaced version 2 of "A", which was deployed in the console or with another key. Version 2 is kept: to use it again, roll back to it.',
  ]);
  // Its own version is not that of another one.
  await save("return 3");
  await deploy();
  expect(warnings).toHaveLength(1);
});

it("keeps a draft with changes that were not deployed as a file, which can be deployed", async () => {
  const { stepwell, app } = mounted;
  const { revision } = await stepwell.workflows.putDraft(app, workflow, {
    ...codeOf("return 'draft'"),
    pinned: { one: "pinned" },
  });
  await save("return 2");
  await deploy();
  expect(await latest()).toBe(2);
  const path = `.stepwell/.drafts/${workflow}-${revision}.json`;
  expect(warnings).toEqual([
    `The draft of "A" had changes that were not deployed. workflows/a.json replaced it. The draft is kept in ${path}: to use it, copy it over workflows/a.json.`,
  ]);
  await writeFile(join(folder, "workflows/a.json"), await readFile(join(folder, path), "utf8"));
  await deploy();
  expect(await stepwell.workflows.getDraft(app, workflow)).toMatchObject({
    ...codeOf("return 'draft'"),
    pinned: { one: "pinned" },
  });
});

it("deploys what a draft has already, without a copy", async () => {
  const { stepwell, app } = mounted;
  await stepwell.workflows.putDraft(app, workflow, codeOf("return 2"));
  await save("return 2");
  await deploy();
  expect(await latest()).toBe(2);
  expect(warnings).toEqual([]);
  expect(await readdir(folder)).toEqual(["workflows"]);
});

it("names the files to the console, without those that it does not deploy", async () => {
  await writeFile(join(folder, "workflows/broken.json"), "{");
  await writeFile(join(folder, "workflows/nameless.json"), JSON.stringify({ steps: [] }));
  await writeFile(join(folder, "workflows/note.txt"), JSON.stringify({ name: "B" }));
  expect(await namedFilesIn(folder)).toEqual([{ name: "A", path: "workflows/a.json" }]);
  expect(await namedFilesIn(join(folder, "elsewhere"))).toEqual([]);
});
