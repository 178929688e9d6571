/** HTTP.md lists the routes that there are. `npx vitest run -u test/contract/http-reference.test.ts` writes it anew. */
import { expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import type { AnyRoute } from "../../src/http/route.ts";

const HEAD = `# HTTP

Every route of Stepwell, below the address that it is mounted at. Send a key as \`Authorization: Bearer KEY\`: the admin
key, or a key of the app in the path, with the scope that is named. \`me\` in the place of \`{app_id}\` is the app of the key.

Bodies are JSON; their fields are those of the service functions (\`stepwell.apps.create\` and so on), documented in the
types. Errors are problem details (RFC 9457) with \`code\`, \`detail\` and a JSON Pointer for each wrong field in \`errors\`.
Lists take \`page\` and \`take\`, and answer with \`Link\` and \`X-Total-Count\`.
`;

const ACCESS: Readonly<Record<AnyRoute["access"], (scope: string) => string>> = {
  admin: () => "admin key",
  app: (scope) => scope,
  public: (scope) => `${scope}; without a key, what is PUBLIC`,
  open: () => "none",
};

function keyOf({ access, scope }: AnyRoute): string {
  return ACCESS[access](scope === undefined ? "key of the app" : `\`${scope}\``);
}

/** Routes that differ by nothing but their method share a line. */
function lines(rows: readonly AnyRoute[]): string[] {
  const methods = new Map<string, string[]>();
  for (const row of rows) {
    const rest = `\`${row.path}\` | ${keyOf(row)} | ${row.summary}`;
    methods.set(rest, [...(methods.get(rest) ?? []), row.method]);
  }
  return [...methods].map(([rest, names]) => `| ${names.join(", ")} ${rest} |`);
}

it("HTTP.md has each route with its method, path, scope and summary", async () => {
  const groups = Object.entries(routes).map(([name, rows]): string => {
    const all: readonly AnyRoute[] = Object.values(rows);
    return ["", `## ${name}`, "", "| request | key | does |", "|---|---|---|", ...lines(all), ""].join("\n");
  });
  await expect(HEAD + groups.join("")).toMatchFileSnapshot("../../HTTP.md");
});
