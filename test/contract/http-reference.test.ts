/** HTTP.md lists all routes. `npx vitest run -u test/contract/http-reference.test.ts` updates it. */
import { expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import type { AnyRoute, RouteGroup } from "../../src/http/route.ts";
import { isRecord } from "../../src/json.ts";

const HEAD = `# HTTP API

Every route of Stepwell, relative to the path where you mount it. Authenticate with \`Authorization: Bearer KEY\`, using
the admin key or a key of the app in the path that has the scope listed. With a key, \`me\` as \`{app_id}\` stands for the
app of the key. Routes under \`/public\` have no key, so they need the app's id.

- **Bodies** are JSON objects. \`?\` marks a field that you can omit. The types of the service functions
  (\`stepwell.apps.create\` and so on) document each field. A route without a body accepts none.
- **Responses** are the resource as JSON. Status 201 has a \`Location\`, 204 has no body.
- **Lists** are JSON arrays. All but \`/services\` accept \`page\` (from 1) and \`take\` (1 to 1,000; default: 100),
  and return \`Link\` and \`X-Total-Count\`. Lists with \`page_token\` also return \`X-Next-Page-Token\`: send it as
  \`page_token\` to continue. Links that would make \`Link\` longer than 4,096 characters are left out.
  In process, a list is \`{ items, total, next_page_token, … }\`.
- **Errors** are problem details (RFC 9457) with a \`code\`, a \`detail\` and, in \`errors\`, a JSON Pointer for each invalid
  field.
- **Search:** lists with \`search\` count no matches, so they have no \`X-Total-Count\` and no \`rel="last"\`.
- **Limits of text** count UTF-16 code units, as \`length\` does in JavaScript: an emoji counts as two or more. JSON Schema
  counts code points instead.
- **Deleted collections** are 404 without a key, also PUBLIC ones.
- **\`ETag\`**: records have their version in quotes, downloads a digest. Getting, updating, evaluating and deleting a record
  honor \`If-Match\`, getting it also \`If-None-Match\`. On other routes, \`If-Match\` with a tag gets 412; \`/health\`,
  webhooks, events and upload URLs ignore it.
- **\`Prefer: wait=N\`** holds the responses that mention it for up to N seconds, at most 999,999. Other values are ignored.

\`Idempotency-Key\` works on every POST route that is not listed here. A webhook has its own rule for repeats, see
[webhooks](https://github.com/stepwell/stepwell/tree/main/examples/webhooks). Routes with other methods ignore the
header too: after a lost response to \`PUT …/signature\`, send the request again with a \`secret\` of your own. It is ignored by:

IGNORING
`;

/** What the schemas of raw routes and of plain objects cannot say: the body and the status. */
const BY_HAND: Readonly<Record<string, { body?: string; status?: string }>> = {
  "workflows.validate": { body: "a definition (as of PUT draft), or none" },
  "runs.provide": { body: "the values by field: `{ granted: true }`" },
  "runs.events": { body: "query: `after?`", status: "200, 204" },
  "deliveries.get": { body: "any, see above", status: "200, 202, 424" },
  "hooks.putSignature": { body: "`{ scheme, secret?, … }`" },
  "uploads.receive": { body: "a form, `{ file_url }` or none (tus)", status: "201" },
  "uploads.append": { body: "bytes of the file", status: "204" },
  "uploads.terminate": { status: "204" },
  "uploads.show": { status: "200" },
  "files.followLink": { body: "the query of the link", status: "200, 206, 304" },
  "files.download": { status: "200, 206, 304" },
  "health.show": { status: "200, 503" },
};

/** What the rows of a group leave open. */
const NOTES: Readonly<Record<string, string>> = {
  workflows: `\`validate\` answers 200 with \`{ valid, errors }\`. If fields are missing, unknown or of a wrong type, it reports all of
these. Otherwise it reports everything else: expressions, code, destinations, references. Deploying answers 422 with the same
errors.`,
  runs: `A run has ended when its \`status\` is \`succeeded\`, \`failed\` or \`canceled\`. \`Prefer: wait\` waits for the end only: for a
run that waits for input, the response arrives after N seconds, with the same 201 or 200 and the status \`waiting\`. See
[how to notice that a run waits for input](https://github.com/stepwell/stepwell/tree/main/examples/workflows#input-in-the-middle-of-a-run).
The events stream answers 204 when the run has ended and \`Last-Event-ID\` names its last event.`,
  deliveries: `The body is JSON, a form, text or other bytes; see [requests](https://github.com/stepwell/stepwell/tree/main/examples/webhooks#requests).
Without \`Prefer: wait\`, the response is 202 with \`{ id, status }\`. With it, the response is 200 with the output if the run
succeeded within that time, 424 with \`{ id, status, error: { code } }\` if it failed or was canceled, and otherwise 202.`,
  hooks: `The body of \`signature\` depends on its \`scheme\`; see [signatures](https://github.com/stepwell/stepwell/tree/main/examples/webhooks#signatures).`,
  uploads: `The URL is the credential. A form and \`file_url\` answer 201 with the file, without a \`Location\`. With the header
\`Tus-Resumable\`, responses follow tus: no body, \`Location\` and \`Upload-Offset\`.`,
  records: `Lists take up to ten conditions, all of which a record must meet: \`filter[loan:amount][gte]=1000\`. The operators are
\`eq\` (also if omitted), \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`in\`, \`contains\` and \`exists\`. A value that is a JSON number, \`true\`,
\`false\` or a string in quotes is read as such, anything else as text: \`filter[person:zip]="12345"\`. \`in\` takes values
separated by commas, or a JSON list. \`rule_result[RULE_KEY]=FAIL\` and \`updated_after=2026-01-31T12:00:00Z\` are conditions, too.
\`sort=loan:amount\` sorts, \`sort=-loan:amount\` in reverse; more than 2,000 records need the field in \`config.indexes\` of the
collection, and \`config.index_states\` says when a new one is \`ready\`. Such a list continues by \`page_token\` alone, and has
\`X-Incomplete\`: \`true\` if 2,000 records were read before the page was full.

\`upsert\` answers 200 whether it created the record or updated it. Rules that need more than 10 seconds are
\`PENDING\` in the response.`,
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
  const known = BY_HAND[name]?.body;
  if (known !== undefined || row.kind === "raw") return known ?? "";
  const query = fieldsOf(row.query, ["page", "take"]);
  if (query !== "") return `query: \`${query}\``;
  const fields = fieldsOf(row.body);
  return fields === "" ? "" : `\`{ ${fields} }\``;
}

function statusOf(name: string, row: AnyRoute): string {
  return row.kind === "raw" ? (BY_HAND[name]?.status ?? "") : String(row.answers.status);
}

/** Routes that differ only in their method share a line. */
function lines(group: string, rows: RouteGroup): string[] {
  const methods = new Map<string, string[]>();
  for (const [name, row] of Object.entries(rows)) {
    const like = group === "deliveries" ? "deliveries.get" : `${group}.${name}`;
    const about = [keyOf(row), bodyOf(like, row), statusOf(like, row), row.summary];
    const rest = [`\`${row.path}\``, ...about].join(" | ");
    methods.set(rest, [...(methods.get(rest) ?? []), row.method]);
  }
  return [...methods].map(([rest, names]) => `| ${names.join(", ")} ${rest} |`);
}

it("HTTP.md lists every route with its method, path, scope, body, status and summary", async () => {
  const groups = Object.entries(routes).map(([name, rows]): string => {
    const note = NOTES[name] === undefined ? [] : ["", NOTES[name]];
    const table = [
      "| Request | Key | Body or query | Status | Description |",
      "|---|---|---|---|---|",
      ...lines(name, rows),
    ];
    return ["", `## ${name}`, ...note, "", ...table, ""].join("\n");
  });
  const ignoring = (Object.values(routes) as RouteGroup[])
    .flatMap((rows) => Object.values(rows))
    .filter((row) => row.method === "POST" && !(row.kind === "shaped" && row.repeatable) && !row.path.includes("*"))
    .map(({ path }) => `- POST \`${path}\``);
  await expect(HEAD.replace("IGNORING", ignoring.join("\n")) + groups.join("")).toMatchFileSnapshot("../../HTTP.md");
});
