/** HTTP.md lists all routes. `npx vitest run -u test/contract/http-reference.test.ts` updates it. */
import { expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import type { AnyRoute, RouteGroup } from "../../src/http/route.ts";

const HEAD = `# HTTP API

Every route of Stepwell, relative to the path where you mount it. Authenticate with \`Authorization: Bearer KEY\`, using
the admin key or a key of the app in the path that has the scope listed. \`me\` as \`{app_id}\` stands for the app of the key.

Bodies are JSON. Their fields are those of the service functions (\`stepwell.apps.create\` and so on), which the types
document. Errors are problem details (RFC 9457) with a \`code\`, a \`detail\` and, in \`errors\`, a JSON Pointer for each
invalid field. Lists accept \`page\` and \`take\`, and return \`Link\` and \`X-Total-Count\` headers.

\`Idempotency-Key\` works on every POST route that is not listed here. A webhook has its own rule for repeats, see
[webhooks](examples/webhooks). Routes with other methods ignore the header too: after a lost response to
\`PUT …/signature\`, send the request again with a \`secret\` of your own. It is ignored by:

IGNORING
`;

const ACCESS: Readonly<Record<AnyRoute["access"], (scope: string) => string>> = {
  admin: () => "admin key",
  app: (scope) => scope,
  public: (scope) => `${scope}; none for PUBLIC resources`,
  open: () => "none",
};

function keyOf({ access, scope }: AnyRoute): string {
  return ACCESS[access](scope === undefined ? "app key" : `\`${scope}\``);
}

/** Routes that differ only in their method share a line. */
function lines(rows: readonly AnyRoute[]): string[] {
  const methods = new Map<string, string[]>();
  for (const row of rows) {
    const rest = `\`${row.path}\` | ${keyOf(row)} | ${row.summary}`;
    methods.set(rest, [...(methods.get(rest) ?? []), row.method]);
  }
  return [...methods].map(([rest, names]) => `| ${names.join(", ")} ${rest} |`);
}

it("HTTP.md lists every route with its method, path, scope and summary", async () => {
  const groups = Object.entries(routes).map(([name, rows]): string => {
    const all: readonly AnyRoute[] = Object.values(rows);
    return ["", `## ${name}`, "", "| Request | Key | Description |", "|---|---|---|", ...lines(all), ""].join("\n");
  });
  const ignoring = (Object.values(routes) as RouteGroup[])
    .flatMap((rows) => Object.values(rows))
    .filter((row) => row.method === "POST" && !(row.kind === "shaped" && row.repeatable) && !row.path.includes("*"))
    .map(({ path }) => `- POST \`${path}\``);
  await expect(HEAD.replace("IGNORING", ignoring.join("\n")) + groups.join("")).toMatchFileSnapshot("../../HTTP.md");
});
