/** HTTP.md lists all routes. `npx vitest run -u test/contract/http-reference.test.ts` updates it. */
import { expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import type { AnyRoute, RouteGroup } from "../../src/http/route.ts";
import { createStepwell } from "../../src/index.ts";
import { isRecord } from "../../src/json.ts";
import { operationName } from "../support/http/operation-names.ts";

const HEAD = `# HTTP API

This page lists all routes, relative to the path at which you mount Stepwell. \`GET /openapi.json\` returns the same as
OpenAPI 3.1, for tools and generated clients. Authenticate with \`Authorization: Bearer KEY\`. The key is the admin key,
or a key of the app in the path with the scope in the *Key* column. With an app's key, you can write \`me\` instead of
the app's id. Routes under \`/public\` take no key, so they need the id.

Pages of the [console](https://github.com/stepwell/stepwell/tree/main/examples/console) send no key, but a session:
the cookie of the console, or whatever the option \`session\` of \`webConsole()\` recognizes. Such requests need the header
\`Stepwell-Console: 1\`.

- **Bodies** are JSON objects unless the table says otherwise. \`?\` marks a field that you can omit. Routes for which the
  table lists no body reject one.
- **In process**, call the function in the *In process* column. Pass the ids of the path, then the body or the query:
  \`stepwell.records.update(appId, collectionId, recordId, { data })\`. The TypeScript types document each field. The
  [client](https://github.com/stepwell/stepwell/tree/main/examples/client) has the same functions over HTTP.
- **Responses** contain the resource as JSON. A 201 response has a \`Location\` header. A 204 response has no body.
- **Lists** are JSON arrays. All but \`/services\` accept \`page\` (from 1) and \`take\` (1 to 1,000; default: 100), and
  return \`Link\` and \`X-Total-Count\`. Lists with \`page_token\` also return \`X-Next-Page-Token\`: send it as \`page_token\` to
  get the next page. \`Link\` has at most 4,096 characters; links that don't fit are omitted. If the items of a page
  exceed 16 Mi characters, the response is 422 and says how many items fit; see
  [limits](https://github.com/stepwell/stepwell/tree/main/examples/deployment#limits). Lists of records with conditions
  or \`sort\` return a shorter page instead. In process, a list is \`{ items, total, next_page_token, … }\`,
  and \`listAll\` iterates over all pages.
- **Errors** are problem details (RFC 9457) with a \`code\`, a \`detail\` and, in \`errors\`, a JSON Pointer for each invalid
  field.
- **Search:** Stepwell doesn't count the matches of \`search\`, so the response has no \`X-Total-Count\` and no \`rel="last"\`
  link.
- **Text limits** count UTF-16 code units, as \`length\` does in JavaScript: an emoji counts as two or more. JSON Schemas
  that you provide count code points instead.
- **Deleted collections**, even PUBLIC ones, require a key. Without one, the response is 404.
- **\`ETag\`** is the version of a record in quotes; the \`revision\` of a workflow, draft, collection, schedule or
  connection; and a digest of a download. Routes that get, change, evaluate or delete one of these support \`If-Match\`:
  if the resource has changed in the meantime, the response is 412. Routes that get a record, workflow, draft or
  connection also support \`If-None-Match\`. Most other routes respond with 412 if \`If-Match\` contains a tag. \`/health\`,
  incoming webhooks, trigger events and upload URLs ignore the header.
- **\`Accept\`** selects the format of a response where the table says so. All other responses are JSON.
- **\`Stepwell-User\`** is the id of the user on whose behalf you send a request, and \`Stepwell-User-Name\` their display
  name. Percent-encode both. A key with scopes needs \`users:act\`. Versions, runs and record histories then show who
  acted.
- **\`Prefer: wait=N\`** delays the response by up to N seconds (at most 999,999) on routes whose description mentions it.
  Stepwell ignores other preferences, except \`return=representation\` at upload URLs.

\`Idempotency-Key\` works on every POST route except those listed below. Incoming webhooks have their own rules for
duplicates; see [webhooks](https://github.com/stepwell/stepwell/tree/main/examples/webhooks). Routes with other methods
ignore the header. A response that may contain a secret, such as that of \`POST …/keys\`, is not replayed: a repeated
request gets 409. If you lose the response to \`PUT …/signature\`, you cannot read the generated secret again. Repeat the
request with a \`secret\` of your own. These POST routes ignore the header:

IGNORING
`;

/** Bodies that the schemas of routes don't describe, or that would be too long. */
const BY_HAND: Readonly<Record<string, string>> = {
  "workflows.validate": "a definition (as in PUT draft), or none",
  "runs.provide": "the values by field: `{ granted: true }`",
  "hookRequests.get": "any, see above",
  "hooks.create": "`{ method, path, signature: { scheme, secret?, … } }`",
  "hooks.putSignature": "`{ scheme, secret?, … }`",
  "triggers.putSignature": "`{ scheme, secret?, … }`",
  "triggerEvents.receive": "events, as the trigger's type accepts them",
  "mappings.put": "a list: `[{ source_path, destination_paths }]`",
  "uploads.receive": "a form, `{ file_url }` or none (tus)",
  "uploads.append": "bytes of the file",
  "files.followLink": "the query of the link",
  "records.import": "CSV or JSON Lines; query: `key?, delimiter?, columns?`",
};

/** Explanations above the table of a group. */
const NOTES: Readonly<Record<string, string>> = {
  workflows: `\`validate\` returns 200 with \`{ valid, errors, warnings }\`. If fields are missing, unknown or of the wrong type, it reports only
those. Otherwise, it reports problems in expressions, code, destinations and references. Deploying returns 422 with the
same errors. Warnings, such as of a field that no input step declares, keep nobody from deploying.`,
  runs: `A run has ended when its \`status\` is \`succeeded\`, \`failed\` or \`canceled\`. \`Prefer: wait=N\` waits only for the run to
end. If the run is waiting for input, you get the usual 201 or 200 after N seconds. See [how to detect that a run is
waiting for input](https://github.com/stepwell/stepwell/tree/main/examples/workflows#input-in-the-middle-of-a-run). The
event stream returns 204 if the run has ended and \`Last-Event-ID\` is the id of its last event.`,
  hookRequests: `The body is JSON, a form, text or other bytes; see
[requests](https://github.com/stepwell/stepwell/tree/main/examples/webhooks#requests). Without \`Prefer: wait=N\`, the
response is 202 with \`{ id, status }\`. With the header, the response is 200 with the output if the run succeeds within N
seconds. If the run fails or is canceled, the response is 424 with \`{ id, status, error: { code } }\`. Otherwise, the
response is 202. If the step has \`respond: "output"\`, N defaults to 30.`,
  hooks: `The fields of \`signature\` depend on its \`scheme\`; see
[signatures](https://github.com/stepwell/stepwell/tree/main/examples/webhooks#signatures).`,
  uploads: `The URL is the credential. The response to a form or to \`file_url\` is 201 with the file, without a \`Location\`. Responses
to requests with a \`Tus-Resumable\` header follow the tus protocol: they have \`Location\` and \`Upload-Offset\`, but no
body. With \`Prefer: return=representation\`, the response that completes the file contains it.`,
  records: `The list accepts up to ten conditions, such as \`filter[loan:amount][gte]=1000\`, and returns the records that meet all of
them. The operators are \`eq\` (the default), \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`in\`, \`contains\` and \`exists\`. A number,
\`true\`, \`false\` or a quoted string is parsed as JSON; any other value is text. \`filter[person:zip]="12345"\` matches the
text, not the number. \`in\` accepts comma-separated values or a JSON array; commas inside quotes don't separate values.
\`rule_result[RULE_KEY]=FAIL\` and \`updated_after=2026-01-31T12:00:00Z\` are also conditions.

\`sort=loan:amount\` sorts in ascending order, \`sort=-loan:amount\` in descending order. Strings are sorted by their first
127 characters in ASCII, fewer in other scripts. To sort more than 2,000 records, add the field to \`config.indexes\` of
the collection. \`config.index_states\` shows when a new index is \`ready\`. To get further pages of a list with conditions
or \`sort\`, use \`page_token\`, not \`page\`. The response has \`X-Incomplete: true\` if Stepwell read 2,000 records or 16 MiB
before it filled the page.

\`upsert\` returns 200 whether it creates or updates the record. Rules that take longer than 10 seconds are \`PENDING\` in the
response.

\`import\` accepts \`text/csv\` with a header, and \`application/x-ndjson\` or \`application/jsonl\` with one record on each
line. Without a \`charset\`, Stepwell detects the encoding: a byte order mark if there is one, then UTF-8 if the first 64
KiB are valid, otherwise windows-1252. With \`key=loan:number\`, each row updates the record that has the same value in
this field, or creates one. Without \`key\`, each row creates a record. \`delimiter\` is \`,\`, \`;\`, \`|\` or a tab. By default,
Stepwell detects it from the header row. The header names the field of each column, unless
\`columns=loan:number,,customer:name\` names them in order; an empty one leaves its column out. \`export\` accepts
\`format=csv\` (the default) or \`format=jsonl\`; see [CSV and JSON
Lines](https://github.com/stepwell/stepwell/tree/main/examples/records#csv-and-json-lines).`,
};

const ACCESS: Readonly<Record<AnyRoute["access"], (scope: string) => string>> = {
  admin: () => "admin key",
  app: (scope) => scope,
  public: (scope) => `${scope}; none for PUBLIC resources`,
  open: () => "none",
};

function keyOf({ access, scope }: AnyRoute): string {
  return ACCESS[access](scope === undefined ? "app key" : `\`${scope}\``);
}

/** The fields of a body or a query: of an object, or of each variant of one. */
function fieldsOf(schema: unknown, omitted: readonly string[] = []): string {
  if (!isRecord(schema)) return "";
  const { entries, options } = schema;
  if (Array.isArray(options)) return options.map((option) => fieldsOf(option)).join(" or ");
  if (!isRecord(entries)) return "";
  const names = Object.entries(entries).filter(([name]) => !omitted.includes(name));
  const isOptional = (field: unknown) => isRecord(field) && /optional/.test(String(field["type"]));
  return names.map(([name, field]) => (isOptional(field) ? `${name}?` : name)).join(", ");
}

/** The body that a route reads, or the query of a list without the parameters that every list has. */
function bodyOf(name: string, row: AnyRoute): string {
  const known = BY_HAND[name];
  if (known !== undefined) return known;
  const query = fieldsOf(row.kind === "raw" ? row.described.request.query : row.query, ["page", "take"]);
  if (query !== "") return `query: \`${query}\``;
  const fields = row.kind === "raw" ? "" : fieldsOf(row.body);
  return fields === "" ? "" : `\`{ ${fields} }\``;
}

function statusOf(row: AnyRoute): string {
  return row.kind === "raw" ? Object.keys(row.described.answers).join(", ") : String(row.answers.status);
}

/** The service function of a route; none if the route is for users and other systems only. */
function functionOf(stepwell: object, route: string): string {
  const name = operationName(route);
  const found = name.split(".").reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), stepwell);
  return typeof found === "function" ? `\`${name}\`` : "";
}

/** Routes that differ only in their method share a line. */
function lines(stepwell: object, group: string, rows: RouteGroup): string[] {
  const methods = new Map<string, string[]>();
  for (const [name, row] of Object.entries(rows)) {
    const like = group === "hookRequests" ? "hookRequests.get" : `${group}.${name}`;
    const inProcess = functionOf(stepwell, `${group}.${name}`);
    const about = [keyOf(row), bodyOf(like, row), statusOf(row), inProcess, row.summary];
    const rest = [`\`${row.path}\``, ...about].join(" | ");
    methods.set(rest, [...(methods.get(rest) ?? []), row.method]);
  }
  return [...methods].map(([rest, names]) => `| ${names.join(", ")} ${rest} |`);
}

it("HTTP.md lists every route with its method, path, scope, body, status, function and summary", async () => {
  const stepwell = createStepwell();
  const groups = Object.entries(routes).map(([name, rows]): string => {
    const note = NOTES[name] === undefined ? [] : ["", NOTES[name]];
    const table = [
      "| Request | Key | Body or query | Status | In process | Description |",
      "|---|---|---|---|---|---|",
      ...lines(stepwell, name, rows),
    ];
    return ["", `## ${name}`, ...note, "", ...table, ""].join("\n");
  });
  await stepwell.close();
  const ignoring = (Object.values(routes) as RouteGroup[])
    .flatMap((rows) => Object.values(rows))
    .filter((row) => row.method === "POST" && !row.repeatable && !row.path.includes("*"))
    .map(({ path }) => `- POST \`${path}\``);
  await expect(HEAD.replace("IGNORING", ignoring.join("\n")) + groups.join("")).toMatchFileSnapshot("../../HTTP.md");
});
