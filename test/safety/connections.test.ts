/** Credentials are known only to their owner and the action: neither storage nor messages contain them. */
import { Buffer } from "node:buffer";
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { createSecrets } from "../../src/encryption/encryption.ts";
import {
  defineService,
  type JsonObject,
  type Logger,
  type Options,
  RetryableError,
  type Step,
} from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { openService } from "../support/engine/service.ts";

const SECRET = "the first secret of these tests, which is long enough";
const NEXT = "the second secret of these tests, which is long enough";
const PASSWORD = 'correct "horse"/battery staple';
const TOKEN = "7c1e0f6a-token";
const PIN = 48_213_377;
const credentials = { host: "mail.example.com", password: PASSWORD, more: { tokens: [TOKEN], pin: PIN } };

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((service) => service.close()));
});

const Account = v.object({
  host: v.string(),
  password: v.string(),
  more: v.object({ tokens: v.array(v.string()), pin: v.number() }),
});
/** Reveals its credentials wherever it can. */
const echoing = defineService({
  name: "echoing",
  connection: Account,
  actions: {
    fail: {
      input: v.object({ how: v.string() }),
      output: v.object({ ok: v.boolean() }),
      run({ how }, { connection, log }) {
        const { password, more } = connection;
        log(`signing in with ${password}`, JSON.stringify(connection));
        const revealed = `refused: ${password}, ${more.tokens.join()}, ${more.pin}, ?p=${encodeURIComponent(password)}`;
        if (how === "again") throw new RetryableError(revealed);
        if (how === "text") throw revealed;
        if (how === "late") return Promise.reject(new Error("failed", { cause: new Error(revealed) }));
        if (how === "output") return { ok: password } as unknown as { ok: boolean };
        if (how === "fail") throw new Error(revealed, { cause: connection });
        return { ok: true };
      },
    },
  },
});

async function open(data: Map<string, string>, options: Options = {}, app?: string) {
  const logged: unknown[][] = [];
  const keep = (...logArguments: unknown[]) => void logged.push(logArguments);
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const service = await openService(
    {
      services: [echoing],
      secret: SECRET,
      logger,
      clock: quickClock(),
      storage: { entities: memory(data).driver },
      ...options,
    },
    app,
  );
  closing.push(service.stepwell);
  return { ...service, logged };
}

const fail = (connection_id: string, how: string): Step => ({
  type: "service",
  key: "s",
  service: { service: "echoing", action: "fail", input: { how }, connection_id },
});

/** All readable forms. */
const FORMS = [PASSWORD, TOKEN, String(PIN)].flatMap((value) => [
  value,
  JSON.stringify(value).slice(1, -1),
  JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString("base64").replace(/=+$/, ""),
  Buffer.from(value).toString("hex"),
]);

function expectNothingSecret(what: string): void {
  expect(FORMS.filter((form) => what.includes(form))).toEqual([]);
}

/** Includes the causes and stacks of errors, which JSON omits. */
function printable(value: unknown): string {
  const seen = new Set<unknown>();
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "object" && inner !== null) {
      if (seen.has(inner)) return undefined;
      seen.add(inner);
    }
    return inner instanceof Error
      ? { ...inner, name: inner.name, message: inner.message, stack: inner.stack, cause: inner.cause }
      : inner;
  });
}

describe("credentials", () => {
  it.each(["", "fail", "again", "text", "late", "output"])(
    "are hidden from runs, events, logs and storage when an action reveals them (%s)",
    async (how) => {
      const data = new Map<string, string>();
      const { stepwell, app, run, logged } = await open(data);
      const connection = await stepwell.connections.create(app, { name: "C", service: "echoing", credentials });
      const done = await run([fail(connection.id, how)]);
      expect(done.status).toBe(how === "" ? "succeeded" : "failed");
      expect(done.steps[0]?.logs?.join()).toContain("signing in with [hidden]");
      const events: unknown[] = [];
      for await (const event of stepwell.runs.events(app, done.id)) events.push(event);
      const lists = [
        await stepwell.connections.list(app),
        await stepwell.runs.list(app),
        await stepwell.services.list(),
      ];
      expectNothingSecret(
        printable([connection, await stepwell.connections.get(app, connection.id), done, events, lists, logged]),
      );
      await stepwell.close();
      expect([...data.keys()].join()).toMatch(/./);
      expectNothingSecret([...data].flat().join("\n"));
    },
  );

  it("are not repeated in validation errors", async () => {
    const data = new Map<string, string>();
    const leaky = defineService({
      name: "leaky",
      connection: v.object({
        email: v.pipe(v.string(), v.email()),
        count: v.number(),
        kind: v.picklist(["a", "b"]),
        plain: v.pipe(v.string(), v.minLength(99, "Must have 99 characters.")),
      }),
      actions: { a: { input: v.object({}), output: v.null(), run: () => null } },
    });
    const thrower = defineService({
      name: "thrower",
      connection: v.pipe(
        v.object({ password: v.string() }),
        v.check(({ password }) => {
          throw new Error(`cannot use ${password}`);
        }),
      ),
      actions: { a: { input: v.object({}), output: v.null(), run: () => null } },
    });
    const { stepwell, app, logged } = await open(data, { services: [leaky, thrower] });
    const refused = (service: string, given: JsonObject) =>
      stepwell.connections.create(app, { name: "C", service, credentials: given }).catch((error: unknown) => error);
    const errors = [
      await refused("leaky", { email: PASSWORD, count: TOKEN, kind: PASSWORD.toUpperCase(), plain: PASSWORD }),
      await refused("thrower", { password: PASSWORD }),
    ];
    expect(errors).toMatchObject([
      {
        code: "invalid",
        errors: [
          { pointer: "/credentials/email", message: "Does not match the connection schema of the service." },
          { pointer: "/credentials/count" },
          { pointer: "/credentials/kind" },
          { pointer: "/credentials/plain", message: "Must have 99 characters." },
        ],
      },
      { code: "invalid", errors: [{ pointer: "/credentials" }] },
    ]);
    expectNothingSecret(printable([errors, logged]));
    expect(printable([errors, logged])).not.toContain(PASSWORD.toUpperCase());
  });

  it("cannot be derived from the receipt of an Idempotency-Key", async () => {
    const data = new Map<string, string>();
    const { stepwell, app } = await open(data);
    const { key } = await stepwell.keys.create(app, { name: "k" });
    const body = JSON.stringify({ name: "C", service: "echoing", credentials });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "5b7d" };
    const url = `http://localhost:3000/apps/${app}/connections`;
    const answer = await stepwell.fetch(new Request(url, { method: "POST", headers, body }));
    const text = await answer.text();
    expect(answer.status).toBe(201);
    await stepwell.close();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    const kept = [...data].flat().join("\n");
    expect(kept).not.toContain(Buffer.from(digest).toString("hex"));
    expectNothingSecret(kept + text);
  });
});

describe("the secret option", () => {
  async function storeConnection(options: Options = {}) {
    const data = new Map<string, string>();
    const { stepwell, app, deploy } = await open(data, options);
    const { id } = await stepwell.connections.create(app, { name: "C", service: "echoing", credentials });
    const workflow = await deploy([fail(id, "")]);
    await stepwell.close();
    return { data, app, id, workflow };
  }

  it.each([
    ["is another one", { secret: NEXT }, /encrypted with another secret: none of the configured secrets matches/],
    ["is missing", { secret: undefined }, /encrypted with another secret: no secret is configured/],
  ])("that %s at the next start yields not_configured, and nothing is lost", async (_, options, message) => {
    const { data, app, id, workflow } = await storeConnection();
    const without = await open(data, options as Options, app);
    expect((await without.runOf(workflow)).error).toMatchObject({ code: "not_configured", message });
    expect((await without.stepwell.connections.get(app, id)).name).toBe("C");
    await without.stepwell.connections.update(app, id, { name: "D" });
    await without.stepwell.close();

    const again = await open(data, {}, app);
    expect((await again.runOf(workflow)).output).toEqual({ ok: true });
    expect((await again.stepwell.connections.list(app)).items).toMatchObject([{ id, name: "D" }]);
  });

  it("can be rotated by listing the new and the old one", async () => {
    const { data, app, id, workflow } = await storeConnection();
    const both = await open(data, { secret: [NEXT, SECRET] }, app);
    expect((await both.runOf(workflow)).output).toEqual({ ok: true });
    await both.stepwell.connections.update(app, id, { credentials });
    await both.stepwell.close();
    const next = await open(data, { secret: NEXT }, app);
    expect((await next.runOf(workflow)).output).toEqual({ ok: true });
  });

  it.each([
    ["short", "too short"],
    ["no text", 7],
    ["an empty list", []],
    ["a list with a short one", [SECRET, "too short"]],
  ])("that is %s is rejected without being repeated", async (_, secret) => {
    const error = await open(new Map(), { secret } as unknown as Options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "invalid", message: expect.stringMatching(/secret.*32 characters/) });
    expect(printable(error)).not.toContain("too short");
  });
});

describe("an encrypted value", () => {
  const secrets = createSecrets([SECRET]);

  it("can be decrypted only for its own context and with its secret", async () => {
    const encrypted = await secrets.encrypt("hé", "con_1");
    expect(await secrets.decrypt(encrypted, "con_1")).toBe("hé");
    expect(await createSecrets([NEXT, SECRET]).decrypt(encrypted, "con_1")).toBe("hé");
    await expect(secrets.decrypt(encrypted, "con_2")).rejects.toMatchObject({ code: "not_configured" });
    await expect(createSecrets([NEXT]).decrypt(encrypted, "con_1")).rejects.toMatchObject({ code: "not_configured" });
  });

  it("has a new nonce each time", async () => {
    const [one, other] = [await secrets.encrypt("x", "con_1"), await secrets.encrypt("x", "con_1")];
    expect(one.nonce).not.toBe(other.nonce);
    expect(one.data).not.toBe(other.data);
    expect(one.key).toBe(other.key);
    expect(one.key).not.toBe((await createSecrets([NEXT]).encrypt("x", "con_1")).key);
  });

  it.each(["key", "nonce", "data"] as const)("cannot be decrypted when its %s was changed", async (field) => {
    const encrypted = await secrets.encrypt("a text of some length", "con_1");
    const bytes = Buffer.from(encrypted[field], "base64");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const broken = { ...encrypted, [field]: changed.toString("base64") };
      await expect(secrets.decrypt(broken, "con_1")).rejects.toMatchObject({ code: "not_configured" });
    }
  });
});
