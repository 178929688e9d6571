/** The files that replace what is deployed in the console, as the page learns of them. */
import { afterEach, expect, it } from "vitest";
import type { ApiKeyScope } from "../../src/index.ts";
import { type ConsoleHost, openConsole } from "../support/console/small-console.ts";
import { ADMIN_KEY } from "../support/http/transports.ts";

const hosts: ConsoleHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stepwell.close();
});

async function open() {
  const files: { app_id: string; name: string; path: string }[] = [];
  const host = openConsole({}, { workflowFiles: async () => files });
  hosts.push(host);
  const [one, other] = [await host.stepwell.apps.create({ name: "A" }), await host.stepwell.apps.create({ name: "B" })];
  files.push({ app_id: one.id, name: "Greeting", path: "workflows/greeting.json" });
  files.push({ app_id: other.id, name: "Other", path: "workflows/other.json" });
  const filesOf = async (key: string) => {
    const response = await host.browser.send("POST", "/console/session", { key });
    expect(response.status).toBe(200);
    return (await response.json()).workflow_files;
  };
  const keyOf = async (app: string, scopes?: ApiKeyScope[]) =>
    (await host.stepwell.keys.create(app, scopes === undefined ? { name: "all" } : { name: "some", scopes })).key;
  return { host, one, files, filesOf, keyOf };
}

it("are those of the app of the session", async () => {
  const { one, files, filesOf, keyOf } = await open();
  expect(await filesOf(await keyOf(one.id))).toEqual([files[0]]);
  expect(await filesOf(await keyOf(one.id, ["workflows:read"]))).toEqual([files[0]]);
});

it("are those of all apps for an admin, and none without the scope or a session", async () => {
  const { host, one, files, filesOf, keyOf } = await open();
  expect(await filesOf(ADMIN_KEY)).toEqual(files);
  expect(await filesOf(await keyOf(one.id, ["runs:read"]))).toEqual([]);
  await host.browser.send("DELETE", "/console/session");
  const response = await host.browser.send("GET", "/console/session");
  expect(await response.json()).toEqual({ session: null, sign_in: null, workflow_files: [] });
});
