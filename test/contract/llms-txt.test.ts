/** llms.txt is the reference for agents that write code. `npx vitest run -u test/contract/llms-txt.test.ts` updates it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { type ApiFunction, apiFunctions } from "../../adapters/cli/api/functions.ts";
import { SUMMARIES } from "../../adapters/cli/api/summaries.ts";
import { ERRORS } from "../../src/errors.ts";
import { commentLines } from "../support/llms/comment-lines.ts";
import { fieldLines, namesIn, textOf, variantsOf } from "../support/llms/schema-lines.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const REPOSITORY = "https://github.com/stepwell/stepwell";
/** Bytes. It is read as a whole. */
const MAX_BYTES = 96 * 1024;

const OBJECTS = [
  ...["CatchRoute", "Retry", "ForEach", "ModelProvider", "Message", "WorkflowCreate", "Settings", "WorkflowTool"],
  ...["Deploy", "RunCreate", "Run", "RunStep", "ScheduleCreate", "UploadCreate", "CollectionCreate", "RuleInput"],
  ...["RecordCreate", "RecordUpsert", "RecordBulk", "EventEmit", "HookCreate", "ConnectionCreate", "KeyCreate"],
  ...["Upload", "RunEvent", "WaitingInput"],
];

interface Parameter {
  readonly in?: string;
  readonly $ref?: string;
}

const { paths, components } = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
const { schemas } = components;

const HEAD = `# Stepwell

> Embeddable, durable workflow engine for TypeScript: \`npm install stepwell\`. A Node.js, Bun or Deno server mounts it;
> no database, queue or worker process. Workflows are JSON, deployed as numbered versions; runs survive crashes.

- \`createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }) } })\` from \`stepwell\`, with \`fsDriver\` from
  \`stepwell/storage/fs\`. Without \`storage\`, everything is in memory. One instance per process; \`await stepwell.close()\`.
- HTTP: \`stepwell.fetch(request)\`, or \`toNodeHandler(stepwell)\` from \`stepwell/http/node\`. In process, the functions
  below take the ids of the path, then one object. \`createClient({ url, key })\` from \`stepwell/client\` has them over HTTP.
- Create an app, a workflow and a version before a run: \`apps.create\`, \`workflows.create\`, \`workflows.deploy\`,
  \`runs.create\`, \`runs.wait\`. Lists are \`{ items, total, next_page_token }\`; \`listAll\` iterates over all pages.
- Steps run in the order of the list, unless any step has \`destinations\`: keys of the steps that follow it. A step whose
  destinations are missing ends its path.
- Expressions are CEL in \`{{ }}\`, such as \`"{{ input.amount * 2 }}"\` and \`"{{ steps.fetch.output.body.id }}"\`.
  \`conditional\`, \`loop\` and the conditions of branches are CEL without braces. A text that is a single expression
  keeps the type of its value.
- Code steps are the body of an async function of \`input\` and \`steps\`, in JavaScript or TypeScript, without imports and
  network: \`return input.n * 2\`.
- Actions of your own: \`defineService({ name, actions: { ACTION: { input, output, run } } })\` with schemas of Valibot, Zod or
  ArkType, passed as \`services\`. Steps that the compiler does not know go through \`parseDefinition\`.
- \`runs.provide(app_id, run_id, step_key, { FIELD: value })\`; \`runs.wait(app_id, run_id, { timeoutMs })\`. A rule starts a
  workflow with the input \`{ record }\`.
- \`console: webConsole()\` from \`stepwell/console\` serves the web console at \`/console/\` below the mount path, and the
  reference at \`/docs\`. People sign in with a key of an app, the admin key, or the session of your service: see Console below.
- Errors are \`StepwellError\` with a \`code\`, and \`errors\` with a JSON Pointer for each invalid field.

`;

it("llms.txt is the reference in one file", async () => {
  const text = `${HEAD}${guides()}${options()}${webConsole()}${steps()}${inputFields()}${objects()}${functions()}${errors()}`;
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
  await expect(text).toMatchFileSnapshot("../../llms.txt");
});

/** Each guide with the first sentence of its text. */
function guides(): string {
  const found = readdirSync(join(root, "examples")).flatMap((topic) => {
    const guide = readGuide(topic);
    const [title = "", first = ""] = (guide ?? "").split(/\n\n/);
    if (guide === null) return [];
    const plain = first.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\s+/g, " ");
    const sentence = /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain;
    return [`- [${title.replace("# ", "")}](${REPOSITORY}/blob/main/examples/${topic}/README.md): ${sentence}`];
  });
  const others = [
    `- [HTTP.md](${REPOSITORY}/blob/main/HTTP.md): All routes, with bodies, scopes and headers. In the package.`,
    `- [openapi.json](${REPOSITORY}/blob/main/openapi.json): The same as OpenAPI 3.1. In the package, and at \`GET /openapi.json\`.`,
  ];
  return `## Guides\n\n${[...found, ...others].join("\n")}\n\n`;
}

function readGuide(topic: string): string | null {
  try {
    return readFileSync(join(root, "examples", topic, "README.md"), "utf8");
  } catch {
    return null;
  }
}

function steps(): string {
  const names = variantsOf(schemas.Step);
  const common = fieldLines(schemas, "ServiceStep").filter((line) => occurrences(line, names) > 2);
  const own = (name: string) => section(name, (line) => !common.includes(line));
  return (
    `## Steps\n\nEvery step has these fields:\n\n${fieldLines(schemas, "StepBase").join("\n")}\n\n` +
    `Steps other than notes, inputs and branches also have these; inputs have \`timeout\` and \`on_error\`, branches ` +
    `\`on_error\`:\n\n${common.join("\n")}\n\n${names.map(own).join("")}`
  );
}

function inputFields(): string {
  const head = "`input` of an input step, and `fields` of an object, map names to these. Each also has:";
  const common = `${head}\n\n${fieldLines(schemas, "InputFieldBase").join("\n")}\n\n`;
  const fields = variantsOf(schemas.InputField).map((name) => section(name));
  return `## Input fields\n\n${common}${fields.join("")}`;
}

/** What steps and functions refer to. */
function objects(): string {
  const described = [...variantsOf(schemas.Step), ...variantsOf(schemas.InputField)];
  const shown = new Set([...described, "Step", "InputField", "StepBase", "InputFieldBase"]);
  const referred = [...described, ...OBJECTS].flatMap((name) => [...namesIn(schemas, schemas[name])]);
  const names = [...new Set([...OBJECTS, ...referred])].filter((name) => !shown.has(name));
  return `## Objects\n\n${names.map((name) => section(name)).join("")}`;
}

/** What `createStepwell` takes: the first sentence of each comment. */
function options(): string {
  const source = readFileSync(join(root, "src/options/options.ts"), "utf8");
  const file = ts.createSourceFile("options.ts", source, ts.ScriptTarget.Latest, true);
  const lines = file.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
    members.map((member) => {
      const place = name.text === "Options" ? "" : `${name.text}: `;
      const comment = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.comment;
      const text = (ts.getTextOfJSDocComment(comment) ?? "").replace(/\s+/g, " ");
      return `- ${place}\`${member.name?.getText() ?? ""}\`: ${text}`;
    }),
  );
  return `## Options\n\nOf \`createStepwell\`; \`Limits\` are in \`limits\`.\n\n${lines.join("\n")}\n\n`;
}

/** What `webConsole` and `createSignIn` take. */
function webConsole(): string {
  const [options = []] = commentLines(join(root, "adapters/console/web-console.ts"), "WebConsoleOptions");
  const [oneApp = [], admin = []] = commentLines(join(root, "src/console/web-console.ts"), "HostSession");
  const [appLink = []] = commentLines(join(root, "src/console/sign-in.ts"), "AppLink");
  const [adminLink = []] = commentLines(join(root, "src/console/sign-in.ts"), "AdminLink");
  return [
    "## Console",
    "Options of `webConsole`, all optional:",
    options.join("\n"),
    "`session` returns null for nobody, or a `HostSession`. Of a person who may use one app, with scopes as in `KeyCreate`:",
    oneApp.join("\n"),
    "Of an admin:",
    admin.join("\n"),
    "`stepwell.console.createSignIn(input)` returns `{ url, expires_at }`: a URL that signs in one browser. For one app:",
    appLink.join("\n"),
    "For an admin:",
    `${adminLink.join("\n")}\n\n`,
  ].join("\n\n");
}

const occurrences = (line: string, names: readonly string[]) =>
  names.filter((name) => fieldLines(schemas, name).includes(line)).length;

function section(name: string, isShown: (line: string) => boolean = () => true): string {
  const lines = fieldLines(schemas, name).filter(isShown);
  return `### ${name}\n\n${[textOf(schemas[name]), lines.join("\n")].filter(Boolean).join("\n\n")}\n\n`;
}

function functions(): string {
  const groups = [...new Set(apiFunctions().map(({ group }) => group))].map((group) => {
    const lines = apiFunctions().flatMap((one) => (one.group === group ? [lineOf(one)] : []));
    return `### ${group}\n\n${SUMMARIES[group]?.[""] ?? ""}\n\n${lines.join("\n")}\n\n`;
  });
  return `## Functions\n\n${groups.join("")}`;
}

function lineOf({ group, name, method, path, params, hasApp }: ApiFunction): string {
  const { requestBody, parameters = [] } = paths[path][method.toLowerCase()];
  const hasQuery = parameters.some((one: Parameter) => placeOf(one) === "query");
  const input = requestBody?.required === true ? ["input"] : requestBody || hasQuery ? ["input?"] : [];
  const args = [...(hasApp ? ["app_id"] : []), ...params, ...input].join(", ");
  if (group === "me") return `- \`me()\`: ${SUMMARIES[group]?.[name] ?? ""} Only in the client.`;
  return `- \`${group}.${name}(${args})\`: ${SUMMARIES[group]?.[name] ?? ""}`;
}

const placeOf = ({ in: place, $ref }: Parameter) => place ?? components.parameters[$ref?.split("/").at(-1) ?? ""].in;

function errors(): string {
  const lines = Object.entries(ERRORS).map(([code, { status, title }]) => `- \`${code}\`: ${status} ${title}`);
  return `## Error codes\n\n${lines.join("\n")}\n`;
}
