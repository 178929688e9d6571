/** Listing the incoming webhooks of an app, and requiring signatures for them. */
import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createStepwell, type Step, type Stepwell } from "../../src/index.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { silent } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { github, standard } from "../support/http/signing.ts";
import { ADMIN_KEY, BASE, describeEachTransport, type TestHost } from "../support/http/transports.ts";

const SECRET = "a-secret-of-the-tests-with-32-characters-or-more";
const NOW = "2030-01-01T00:00:00.000Z";
const closing: Stepwell[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((stepwell) => stepwell.close()));
});

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const hook = (method: Method, path: string, key = "in"): Step => ({
  ...{ type: "input", key, input: {} },
  webhook: { method, path },
});

async function deploySteps(stepwell: Stepwell, app: string, ...steps: Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(app, { name: "Hook", steps });
  await stepwell.workflows.deploy(app, id);
  return id;
}

async function send(stepwell: Stepwell, app: string, path: string, init: RequestInit = {}): Promise<number> {
  const url = `${BASE}/public/apps/hooks/${app}/${path}`;
  return (await stepwell.fetch(new Request(url, { method: "POST", body: "{}", ...init }))).status;
}

describeEachTransport("incoming webhooks", (openHost) => {
  let clock: TestClock;
  let host: TestHost;
  let app: string;
  const open = (options = {}) => {
    const opened = openHost({ secret: SECRET, clock, ...options });
    closing.push(opened.stepwell);
    return opened;
  };
  beforeEach(async () => {
    clock = createTestClock(NOW);
    host = open();
    app = (await host.app()).id;
  });
  const firstHook = async () => (await host.callApi("hooks.list", app)).items[0];
  const put = async (input: object, id?: string) =>
    host.callApi("hooks.putSignature", app, id ?? (await firstHook()).id, input);
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => expect.unreachable("was not refused"),
      ({ status, code, errors = [] }) => [status, code, errors.map(({ pointer }: { pointer: string }) => pointer)],
    );

  it("list newest first with workflow and step, filter by path and workflow, and can be read by id", async () => {
    const first = await deploySteps(host.stepwell, app, hook("POST", "/orders/new/"), hook("GET", "look around", "b"));
    await clock.advance(1_000);
    const second = await deploySteps(host.stepwell, app, hook("PUT", "orders/old"));
    const { items, total } = await host.callApi("hooks.list", app);
    expect(total).toBe(3);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^hook_[0-9a-f]{40}$/),
      app_id: app,
      method: "PUT",
      path: "orders/old",
      url: `${BASE}/public/apps/hooks/${app}/orders/old`,
      workflow_id: second,
      step_key: "in",
      respond: "run",
      form: false,
      signature: null,
      created_at: "2030-01-01T00:00:01.000Z",
    });
    expect(await host.callApi("hooks.get", app, items[0].id)).toEqual(items[0]);
    const paths = async (query: object) =>
      (await host.callApi("hooks.list", app, query)).items.map(({ path }: { path: string }) => path).sort();
    expect(await paths({ workflow_id: first })).toEqual(["look around", "orders/new"]);
    expect(await paths({ search: "ORDERS" })).toEqual(["orders/new", "orders/old"]);
    expect(await paths({ take: 1, page: 4 })).toEqual([]);
    const spaced = items.find(({ method }: { method: string }) => method === "GET");
    expect(spaced.url).toBe(`${BASE}/public/apps/hooks/${app}/look%20around`);
    expect((await host.stepwell.fetch(new Request(spaced.url))).status).toBe(202);
  });

  it("keep id and signature when the workflow is redeployed, removed, or replaced by another one", async () => {
    const workflow = await deploySteps(host.stepwell, app, hook("POST", "in"));
    const { id } = await firstHook();
    await put({ scheme: "github", secret: "12345678" });
    await host.stepwell.workflows.deploy(app, workflow);
    expect(await firstHook()).toMatchObject({ id, signature: { scheme: "github" }, workflow_id: workflow });
    expect(await send(host.stepwell, app, "in")).toBe(401);
    await host.stepwell.workflows.remove(app, workflow);
    expect(await send(host.stepwell, app, "in", { headers: github("12345678", "{}") })).toBe(404);
    expect(await firstHook()).toMatchObject({ id, signature: { scheme: "github" }, workflow_id: null, step_key: null });
    await deploySteps(host.stepwell, app, hook("POST", "in"));
    expect(await send(host.stepwell, app, "in")).toBe(401);
    expect(await send(host.stepwell, app, "in", { headers: github("12345678", "{}") })).toBe(202);
  });

  it("can be created with a signature before a workflow has them, and are never open", async () => {
    const at = { method: "POST", path: "/orders/new/" } as const;
    const { secret, ...created } = await host.callApi("hooks.create", app, { ...at, signature: { scheme: "github" } });
    expect(created).toMatchObject({
      path: "orders/new",
      workflow_id: null,
      step_key: null,
      signature: { scheme: "github" },
    });
    expect(await send(host.stepwell, app, "orders/new", { headers: github(secret, "{}") })).toBe(404);
    const workflow = await deploySteps(host.stepwell, app, hook("POST", "orders/new"));
    expect(await firstHook()).toEqual({ ...created, workflow_id: workflow, step_key: "in" });
    expect(await send(host.stepwell, app, "orders/new")).toBe(401);
    expect(await send(host.stepwell, app, "orders/new", { headers: github(secret, "{}") })).toBe(202);
    const again = host.callApi("hooks.create", app, { ...at, signature: { scheme: "github" } });
    await expect(again).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ["a path that no request can have", { path: "a/../b" }, "/path"],
    ["an empty path", { path: "/" }, "/path"],
    ["an unknown method", { method: "HEAD" }, "/method"],
    ["a short secret", { signature: { scheme: "github", secret: "1" } }, "/signature/secret"],
    ["a scheme that signs nothing of a GET", { method: "GET" }, "/signature/scheme"],
  ])("are not created with %s", async (_, wrong, pointer) => {
    const input = { method: "POST", path: "in", signature: { scheme: "github" }, ...wrong };
    const refused = host.callApi("hooks.create", app, input);
    await expect(refused).rejects.toMatchObject({ status: 422, errors: [{ pointer }] });
    expect((await host.callApi("hooks.list", app)).items).toEqual([]);
  });

  it("disappear once they have neither a workflow nor a signature", async () => {
    const workflow = await deploySteps(host.stepwell, app, hook("POST", "in"), hook("POST", "unsigned", "b"));
    const signed = (await host.callApi("hooks.list", app, { search: "in" })).items.find(
      ({ path }: { path: string }) => path === "in",
    );
    await put({ scheme: "github" }, signed.id);
    await host.stepwell.workflows.putDraft(app, workflow, { steps: [hook("POST", "other")] });
    await host.stepwell.workflows.deploy(app, workflow);
    await host.stepwell.workflows.remove(app, workflow);
    expect((await host.callApi("hooks.list", app)).items).toMatchObject([{ id: signed.id, workflow_id: null }]);
    await host.callApi("hooks.removeSignature", app, signed.id);
    expect(await host.callApi("hooks.list", app)).toMatchObject({ items: [], total: 0 });
    expect(await refusal(host.callApi("hooks.get", app, signed.id))).toEqual([404, "not_found", []]);
  });

  it("return a generated secret once, and a supplied secret never", async () => {
    await deploySteps(host.stepwell, app, hook("POST", "in"));
    const { secret, ...shown } = await put({ scheme: "standard-webhooks" });
    expect(Buffer.from(/^whsec_(.*)$/.exec(secret)?.[1] ?? "", "base64")).toHaveLength(32);
    expect(shown.signature).toEqual({
      ...{ scheme: "standard-webhooks", header: "webhook-signature", encoding: "base64", prefix: "v1," },
      ...{ created_at: NOW, previous_until: null },
    });
    expect(await firstHook()).toEqual(shown);
    expect(await send(host.stepwell, app, "in", { headers: standard(secret, "{}", clock.now() / 1_000) })).toBe(202);
    const generated = (await put({ scheme: "github", overlap: 0 })).secret;
    expect(generated).toMatch(/^[0-9a-z]{40}$/);
    expect(await send(host.stepwell, app, "in", { headers: github(generated, "{}") })).toBe(202);
    for (const given of [
      { scheme: "standard-webhooks", secret },
      { scheme: "stripe", secret: "whsec_12345678" },
      { scheme: "hmac-sha256", header: "X-Shopify-Hmac-SHA256", encoding: "base64", secret: "12345678" },
    ]) {
      const answer = await put(given);
      expect(answer).not.toHaveProperty("secret");
      expect(JSON.stringify([answer, await firstHook()])).not.toContain(given.secret);
    }
    expect((await firstHook()).signature).toMatchObject({ header: "x-shopify-hmac-sha256", prefix: "" });
  });

  it.each([
    ["no scheme", {}, "/scheme"],
    ["an unknown scheme", { scheme: "md5" }, "/scheme"],
    ["no header", { scheme: "hmac-sha256" }, "/header"],
    ["an invalid header name", { scheme: "hmac-sha256", header: "a b" }, "/header"],
    ["a header for a scheme that fixes it", { scheme: "github", header: "x-other" }, "/header"],
    ["a short secret", { scheme: "github", secret: "1234567" }, "/secret"],
    ["a secret that ends with a line break", { scheme: "github", secret: "12345678\n" }, "/secret"],
    ["a secret that is not Base64", { scheme: "standard-webhooks", secret: "whsec_%%%%%%%%" }, "/secret"],
    ["a secret of 23 bytes", { scheme: "standard-webhooks", secret: `whsec_${"A".repeat(30)}==` }, "/secret"],
    ["a secret of 65 bytes", { scheme: "standard-webhooks", secret: `whsec_${"A".repeat(87)}=` }, "/secret"],
    ["a missing secret for stripe", { scheme: "stripe" }, "/secret"],
    ["a negative overlap", { scheme: "github", overlap: -1 }, "/overlap"],
    ["an overlap of more than seven days", { scheme: "github", overlap: 604_801 }, "/overlap"],
    ["an unknown encoding", { scheme: "hmac-sha256", header: "x", encoding: "base32" }, "/encoding"],
    ["a line break in the prefix", { scheme: "hmac-sha256", header: "x", prefix: "a\r\nb" }, "/prefix"],
  ])("return 422 for a signature with %s", async (_, input, pointer) => {
    await deploySteps(host.stepwell, app, hook("POST", "in"));
    expect(await refusal(put(input))).toEqual([422, "invalid", [pointer]]);
    expect((await firstHook()).signature).toBeNull();
  });

  it("called by GET accept only signature schemes that sign more than the body", async () => {
    await deploySteps(host.stepwell, app, hook("GET", "in"));
    for (const input of [{ scheme: "github" }, { scheme: "hmac-sha256", header: "x-signature" }]) {
      expect(await refusal(put(input))).toEqual([422, "invalid", ["/scheme"]]);
    }
    await put({ scheme: "standard-webhooks" });
  });

  it("return 404 for an id of another app and for a malformed id", async () => {
    await deploySteps(host.stepwell, app, hook("POST", "in"));
    const { id } = await firstHook();
    const other = (await host.app("Other")).id;
    expect((await host.callApi("hooks.list", other)).items).toEqual([]);
    for (const [owner, wanted] of [
      [other, id],
      [app, `hooks${id.slice(4, -1)}`],
      [app, "hook_"],
      [app, `HOOK_${id.slice(5)}`],
    ]) {
      for (const operation of ["hooks.get", "hooks.removeSignature"]) {
        expect(await refusal(host.callApi(operation, owner, wanted))).toEqual([404, "not_found", []]);
      }
      const setting = host.callApi("hooks.putSignature", owner, wanted, { scheme: "github" });
      expect(await refusal(setting)).toEqual([404, "not_found", []]);
    }
    expect((await firstHook()).signature).toBeNull();
  });

  it("return 501 for a signature when the host set no secret, and keep working unsigned", async () => {
    host = open({ secret: undefined, logger: silent });
    app = (await host.app()).id;
    await deploySteps(host.stepwell, app, hook("POST", "in"));
    expect(await refusal(put({ scheme: "github" }))).toEqual([501, "not_configured", []]);
    expect(await send(host.stepwell, app, "in")).toBe(202);
    await host.callApi("hooks.removeSignature", app, (await firstHook()).id);
  });
});

describe("the secrets of signed webhooks", () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });
  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), "stepwell-hooks-"));
    folders.push(made);
    return made;
  }
  const start = (base: string, secret: string | null = SECRET) => {
    const given = secret === null ? {} : { secret };
    const options = { baseUrl: BASE, adminKey: ADMIN_KEY, logger: silent, ...given };
    return createStepwell({ ...options, storage: { entities: fsDriver({ base }) } });
  };
  async function stored(base: string): Promise<string> {
    const entries = await readdir(base, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")))).join("\n");
  }

  it("are stored encrypted, work after a restart, and need the host's secret", async () => {
    const base = await folder();
    let stepwell = start(base);
    const app = (await stepwell.apps.create({ name: "Signed" })).id;
    await deploySteps(stepwell, app, hook("POST", "in"));
    const [found] = (await stepwell.hooks.list(app)).items;
    const secret = "plain-text-of-a-webhook";
    await stepwell.hooks.putSignature(app, found?.id ?? "", { scheme: "github", secret });
    await stepwell.close();
    const text = await stored(base);
    expect(text).toContain("x-hub-signature-256");
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64"));

    stepwell = start(base);
    expect(await send(stepwell, app, "in")).toBe(401);
    expect(await send(stepwell, app, "in", { headers: github(secret, "{}") })).toBe(202);
    await stepwell.close();

    // Without the host's secret no signature can be verified: every request is refused, without the reason.
    for (const other of [null, "another-secret-of-the-tests-with-32-characters"]) {
      stepwell = start(base, other);
      const url = `${BASE}/public/apps/hooks/${app}/in`;
      const init = { method: "POST", body: "{}", headers: github(secret, "{}") };
      const answer = await stepwell.fetch(new Request(url, init));
      const body = await answer.text();
      expect([answer.status, JSON.parse(body).code]).toEqual([501, "not_configured"]);
      expect(body).not.toMatch(/createStepwell|encrypted|secret/);
      expect((await stepwell.hooks.list(app)).items).toMatchObject([{ signature: { scheme: "github" } }]);
      await stepwell.close();
    }
  });

  it("are removed from the storage with their app", async () => {
    const base = await folder();
    let stepwell = start(base);
    const app = (await stepwell.apps.create({ name: "Signed" })).id;
    await deploySteps(stepwell, app, hook("POST", "in"));
    const [found] = (await stepwell.hooks.list(app)).items;
    await stepwell.hooks.putSignature(app, found?.id ?? "", { scheme: "github" });
    await stepwell.apps.remove(app);
    expect(await send(stepwell, app, "in")).toBe(404);
    await stepwell.close();
    // Later checkpoints remove it from the log, too. Sessions get longer until one is long enough on this machine.
    let turns = 100;
    const storedAfterRestart = async () => {
      stepwell = start(base);
      turns *= 2;
      await turnEventLoop(turns);
      await stepwell.close();
      return stored(base);
    };
    await expect.poll(storedAfterRestart).not.toContain("x-hub-signature-256");
  });
});
