/** Adding a resource takes its folder, and a line with its import in each of three files. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChild } from "../faults/child.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

const FOLDER: Readonly<Record<string, string>> = {
  "src/bookmarks/bookmark.ts": `
import * as v from "valibot";
import { pageQuery } from "../documents/pagination.ts";
import type { Page } from "../documents/pagination.ts";
import { strictObject } from "../schema.ts";

export const BookmarkCreate = strictObject({ url: v.pipe(v.string(), v.url("Must be a URL.")) });
export interface BookmarkCreate extends v.InferOutput<typeof BookmarkCreate> {}

export const BookmarkQuery = strictObject(pageQuery);
export interface BookmarkQuery extends v.InferOutput<typeof BookmarkQuery> {}

export const Bookmark = v.object({ id: v.string(), app_id: v.string(), url: v.string(), created_at: v.string() });
export interface Bookmark extends Readonly<v.InferOutput<typeof Bookmark>> {}

export interface BookmarksApi {
  create(appId: string, input: BookmarkCreate): Promise<Bookmark>;
  list(appId: string, options?: { page?: number; take?: number }): Promise<Page<Bookmark>>;
}
`,
  "src/bookmarks/bookmarks.ts": `
import { listPage } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Key, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { Bookmark, BookmarkCreate, BookmarkQuery } from "./bookmark.ts";

export interface Bookmarks {
  create(appId: string, input: BookmarkCreate, receipt: Receipt): Promise<Bookmark>;
  list(appId: string, query: BookmarkQuery): Promise<Page<Bookmark>>;
}

const keyOf = (id: string): Key => \`bookmark:\${id}\`;
const listOf = (appId: string) => \`bookmarks.\${appId}\`;

export function createBookmarks({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }): Bookmarks {
  return {
    async create(appId, { url }, receipt) {
      const bookmark = { id: ids.next("mark"), app_id: appId, url, created_at: instant(clock.now()) };
      const rows = [{ list: listOf(appId), put: { id: bookmark.id } }];
      await store.commit([{ key: keyOf(bookmark.id), document: bookmark, rows }, ...receipt(bookmark)]);
      return bookmark;
    },
    list: (appId, query) => listPage<Bookmark, Bookmark>(store, listOf(appId), query, keyOf, (bookmark) => bookmark),
  };
}
`,
  "src/bookmarks/routes.ts": `
import { created, pageOf, route } from "../http/route.ts";
import { Bookmark, BookmarkCreate, BookmarkQuery } from "./bookmark.ts";
import type { Bookmarks } from "./bookmarks.ts";

interface Slices {
  readonly bookmarks: Bookmarks;
}

const BOOKMARKS = "/apps/{app_id}/bookmarks";

export const bookmarkRoutes = {
  create: route({
    method: "POST",
    path: BOOKMARKS,
    access: "app",
    scope: "collections:write",
    summary: "Create a bookmark.",
    body: BookmarkCreate,
    answers: created(Bookmark),
    run: ({ bookmarks }: Slices, { params, body, receipt }) => bookmarks.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: BOOKMARKS,
    access: "app",
    scope: "collections:read",
    summary: "List the bookmarks of an app, newest first.",
    query: BookmarkQuery,
    answers: pageOf(Bookmark),
    run: ({ bookmarks }: Slices, { params, query }) => bookmarks.list(params.app_id, query),
  }),
};
`,
};

/** Additions to existing files: a line after an existing one, and its import. */
const ELSEWHERE: readonly { file: string; after: string; line: string; imports: string }[] = [
  {
    file: "src/api/route-table.ts",
    after: "export const routes = {",
    line: "bookmarks: bookmarkRoutes,",
    imports: 'import { bookmarkRoutes } from "../bookmarks/routes.ts";',
  },
  {
    file: "src/api/api.ts",
    after: "export interface Api {",
    line: "readonly bookmarks: BookmarksApi;",
    imports: 'import type { BookmarksApi } from "../bookmarks/bookmark.ts";',
  },
  {
    file: "src/compose/slices.ts",
    after: "keys: createKeys(base),",
    line: "bookmarks: createBookmarks(base),",
    imports: 'import { createBookmarks } from "../bookmarks/bookmarks.ts";',
  },
];

/** Uses the resource over HTTP and in process, and prints the results. */
const PROGRAM = `
import { createStepwell } from "../src/index.ts";

const stepwell = createStepwell({ baseUrl: "https://stepwell.test" });
const app = await stepwell.apps.create({ name: "Test" });
const { key } = await stepwell.keys.create(app.id, { name: "test" });
const call = (method: string, body?: object) =>
  stepwell.fetch(
    new Request("https://stepwell.test/apps/me/bookmarks", {
      method,
      headers: { authorization: \`Bearer \${key}\`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
const created = await call("POST", { url: "https://example.com/" });
const refused = await call("POST", { url: "nowhere" });
const listed = await call("GET");
const { items } = await stepwell.bookmarks.list(app.id);
console.log(
  JSON.stringify({
    created: { status: created.status, location: created.headers.get("location")?.replace(app.id, "APP") },
    refused: refused.status,
    listed: { urls: (await listed.json()).map(({ url }: { url: string }) => url), total: listed.headers.get("x-total-count") },
    items: items.map(({ url }) => url),
  }),
);
await stepwell.close();
`;

async function addLine({ file, after, line, imports }: (typeof ELSEWHERE)[number]): Promise<void> {
  const path = join(project, file);
  const [head, tail, ...more] = (await readFile(path, "utf8")).split(after);
  if (tail === undefined || more.length > 0) throw new Error(`${file} must have "${after}" once`);
  await writeFile(path, `${imports}\n${head}${after}\n    ${line}${tail}`);
}

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "stepwell-structure-"));
  for (const part of ["src", "adapters", "package.json", "openapi.json"]) {
    await cp(join(root, part), join(project, part), { recursive: true });
  }
  // Adapters know no resource: `npm run check` checks their types, which takes longer than those of src.
  const config = { extends: join(root, "tsconfig.json"), include: ["src", "examples"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  await symlink(join(root, "node_modules"), join(project, "node_modules"), "dir");
  for (const [file, text] of Object.entries({ ...FOLDER, "examples/bookmarks.ts": PROGRAM })) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text.trimStart());
  }
  for (const place of ELSEWHERE) await addLine(place);
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe("a resource added with its folder and a line in each of three files", () => {
  it("passes the type check", async () => {
    const { stdout } = await run(process.execPath, [
      join(root, "node_modules/typescript7/bin/tsc"),
      "-p",
      project,
      "--singleThreaded",
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("is available over HTTP and as service functions", async () => {
    const program = await startChild(join(project, "examples/bookmarks.ts"), []);
    expect(await program.gone).toEqual({ code: 0, errors: "" });
    expect(JSON.parse(program.lines.join("\n"))).toEqual({
      created: {
        status: 201,
        location: expect.stringMatching(/^https:\/\/stepwell\.test\/apps\/APP\/bookmarks\/mark_/),
      },
      refused: 422,
      listed: { urls: ["https://example.com/"], total: "1" },
      items: ["https://example.com/"],
    });
  });
});
