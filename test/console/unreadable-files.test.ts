/** Files of the console that cannot be loaded for a moment, such as by a process with too many open files. */
import { gzipSync } from "node:zlib";
import { afterEach, expect, it, vi } from "vitest";
import { webConsole } from "../../adapters/console/web-console.ts";
import { type ConsoleHost, openConsole } from "../support/console/small-console.ts";
import { silent } from "../support/engine/service.ts";
import { BASE } from "../support/http/transports.ts";

const failures = vi.hoisted(() => ({ list: 1, file: 1 }));
const fail = (name: keyof typeof failures) => {
  if (failures[name]-- > 0) throw new Error("EMFILE: too many open files");
};

vi.mock("../../adapters/console/built-files.ts", () => ({
  async loadBuiltFiles() {
    fail("list");
    const base64 = async () => {
      fail("file");
      return gzipSync("text").toString("base64");
    };
    return {
      page: "<!doctype html>",
      files: { "assets/a-1.js": { type: "text/javascript", digest: "d1", size: 4, base64 } },
    };
  },
}));

let host: ConsoleHost | undefined;
afterEach(() => host?.stepwell.close());

it("are loaded again with the next request", async () => {
  host = openConsole({ console: webConsole(), logger: silent });
  const { fetch } = host.stepwell;
  const get = (path: string) => fetch(new Request(`${BASE}/console/${path}`));
  expect((await get("")).status).toBe(500);
  expect((await get("")).status).toBe(200);
  expect((await get("assets/a-1.js")).status).toBe(500);
  const found = await get("assets/a-1.js");
  expect([found.status, await found.text()]).toEqual([200, "text"]);
});
