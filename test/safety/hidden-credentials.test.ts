/** Error messages and logs contain credentials in none of their usual forms. */

import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type JsonObject } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";

const PASSWORD = "pä$s/wörd+9?";
const TOKEN = "ghp_0123456789abcdef";
const USER = "ann";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const hex = (text: string) => Buffer.from(text).toString("hex");
const percent = (text: string) => hex(text).replace(/../g, "%$&");

/** The error and log of an action that throws and logs this text. */
async function seen(connection: JsonObject, text: string): Promise<{ readonly message: string; readonly log: string }> {
  const talkative = defineService({
    name: "talkative",
    connection: v.record(v.string(), v.unknown()),
    actions: {
      fail: {
        input: v.object({}),
        output: v.null(),
        run(_, { log }) {
          log(text);
          throw new Error(text);
        },
      },
    },
  });
  const { stepwell, app, run } = await openService({ services: [talkative], secret: "s".repeat(40) });
  const { id } = await stepwell.connections.create(app, { name: "C", service: "talkative", credentials: connection });
  const service = { service: "talkative", action: "fail", input: {}, connection_id: id };
  const { error, steps } = await run([{ type: "service", key: "s", service }]);
  await stepwell.close();
  return { message: error?.message ?? "", log: steps[0]?.logs?.map((line) => JSON.stringify(line)).join() ?? "" };
}

describe("a credential in an error or a log line", () => {
  it.each<[string, string]>([
    ["in plain text", PASSWORD],
    ["in base64", base64(PASSWORD)],
    ["in base64url", base64url(PASSWORD)],
    ["behind a user name in base64", `Basic ${base64(`${USER}:${PASSWORD}`)}`],
    ["behind a user name that is no credential", `Basic ${base64(`somebody:${PASSWORD}`)}`],
    ["before something in base64url", base64url(`${PASSWORD}:x-oauth-basic`)],
    ["within a longer text in base64", base64(`xy${TOKEN}z`)],
    ["in hexadecimal", hex(PASSWORD)],
    ["in hexadecimal in capitals", hex(PASSWORD).toUpperCase()],
    ["in a URL", encodeURIComponent(PASSWORD)],
    ["in a URL in small letters", encodeURIComponent(PASSWORD).toLowerCase()],
    ["in a form", String(new URLSearchParams({ p: PASSWORD })).slice(2)],
    ["in a URL byte by byte", percent(PASSWORD)],
    ["in a URL byte by byte in capitals", percent(PASSWORD).toUpperCase()],
    ["in JSON", JSON.stringify(PASSWORD)],
  ])("is hidden %s", async (_, form) => {
    const { message, log } = await seen({ user: USER, password: PASSWORD, token: TOKEN }, `refused [${form}] again`);
    expect(message).toMatch(/^refused \[(Basic )?"?\[hidden\]"?\] again$/);
    expect(log).toContain("[hidden]");
    expect(log).not.toContain(form);
  });

  it.each([
    ["shorter than four characters", { user: "a", pin: "123", port: 8080 }, "a banana at 123 costs 8080"],
    ["absent", { token: TOKEN }, "a text with dGVzdA== and 68656c6c6f stays as it is"],
  ])("that is %s leaves the text unchanged", async (_, connection, text) => {
    expect((await seen(connection, text)).message).toBe(text);
  });

  it("that overlaps another is hidden with it", async () => {
    expect((await seen({ one: "abcdef", other: "efghij" }, "-abcdefghij-")).message).toBe("-[hidden]-");
    expect((await seen({ one: "hidden", other: "abcdef" }, "-abcdef-")).message).toBe("-[hidden]-");
  });

  it("is hidden anywhere in a long text", async () => {
    const message = `${base64("ab".repeat(10_000))} ${"ab".repeat(10_000)}`;
    const shown = await seen({ one: "abab", other: "aaaa", third: "bbbbbbbbbbbbbbbbbbbbb" }, message);
    expect(shown.message).toBe("[hidden] [hidden]");
  });
});
