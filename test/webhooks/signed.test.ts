/** Deliveries to a webhook that must be signed: by published examples, tampered with, late, sent again, with older secrets. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SignaturePut, Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { github, type Headers, shopify, standard, stripe } from "../support/http/signing.ts";

const SECRET = "a-secret-of-the-tests-with-32-characters-or-more";
/** The moment of the example that the libraries of Standard Webhooks test with. */
const AT = 1_614_265_330;

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock(new Date(AT * 1_000).toISOString());
  t = await createTestService({ secret: SECRET, clock });
});
afterEach(() => t.close());

const now = () => clock.now() / 1_000;

/** Deploys a webhook that must be signed so; gives its id. */
async function signed(signature: SignaturePut, method: "GET" | "POST" | "DELETE" = "POST"): Promise<string> {
  const step: Step = { type: "input", key: "in", input: {}, webhook: { method, path: "in" } };
  const { id } = await t.stepwell.workflows.create(t.app, { name: "Signed", steps: [step] });
  await t.stepwell.workflows.deploy(t.app, id);
  const [hook] = (await t.stepwell.hooks.list(t.app)).items;
  if (hook === undefined) throw new Error("the webhook is not listed");
  await t.stepwell.hooks.putSignature(t.app, hook.id, signature);
  return hook.id;
}

type Body = string | Uint8Array<ArrayBuffer>;
type Sent = [string, string][] | Headers;

function send(body: Body | null, headers: Sent, { method = "POST", path = "in", query = "" } = {}): Promise<Response> {
  const request = new Request(`http://localhost:3000/public/apps/hooks/${t.app}/${path}${query}`, {
    method,
    body,
    headers: new Headers(headers),
  });
  return t.stepwell.fetch(request);
}
const json = { "content-type": "application/json" };
const status = async (...given: Parameters<typeof send>) => (await send(...given)).status;
const runs = async () => (await t.stepwell.runs.list(t.app)).total;
const output = async (response: Response) => {
  const { id } = await response.json();
  return (await t.stepwell.runs.wait(t.app, id)).output;
};

describe("published examples", () => {
  it("of Standard Webhooks pass", async () => {
    await signed({ scheme: "standard-webhooks", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": String(AT),
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      ...json,
    };
    expect(await output(await send('{"test": 2432232314}', headers))).toEqual({ test: 2432232314 });
  });

  it.each<SignaturePut>([
    { scheme: "github", secret: "It's a Secret to Everybody" },
    {
      scheme: "hmac-sha256",
      secret: "It's a Secret to Everybody",
      header: "X-Hub-Signature-256",
      prefix: "sha256=",
    },
  ])("of GitHub pass as $scheme", async (signature) => {
    await signed(signature);
    const mac = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "content-type": "text/plain", "x-hub-signature-256": `sha256=${mac}` };
    expect(await output(await send("Hello, World!", headers))).toEqual({ body: "Hello, World!" });
  });
});

const KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
interface Case {
  readonly signature: SignaturePut;
  readonly sign: (body: string | Uint8Array, secret?: string) => Headers;
}
const CASES: readonly Case[] = [
  {
    signature: { scheme: "standard-webhooks", secret: KEY },
    sign: (body, secret = KEY) => standard(secret, body, now()),
  },
  { signature: { scheme: "github", secret: KEY }, sign: (body, secret = KEY) => github(secret, body) },
  { signature: { scheme: "stripe", secret: KEY }, sign: (body, secret = KEY) => stripe(secret, body, now()) },
  {
    signature: { scheme: "hmac-sha256", secret: KEY, header: "X-Shopify-Hmac-SHA256", encoding: "base64" },
    sign: (body, secret = KEY) => shopify(secret, body),
  },
];

describe.each(CASES)("a webhook signed by $signature.scheme", ({ signature, sign }) => {
  it("takes bytes as they are, also what is no text and nothing at all", async () => {
    await signed(signature);
    const bytes = new Uint8Array([0xff, 0xfe, 0, 10, 13, 32]);
    const binary = { body: "//4ACg0g", encoding: "base64", mime_type: null };
    expect(await output(await send(bytes, sign(bytes)))).toEqual(binary);
    await clock.advance(1_000);
    const spaced = ' {"a" :1}\r\n';
    expect(await output(await send(spaced, { ...json, ...sign(spaced), "webhook-id": "msg_1" }))).toEqual(
      signature.scheme === "standard-webhooks" ? binary : { a: 1 },
    );
    await clock.advance(1_000);
    const empty = signature.scheme === "standard-webhooks" ? standard(KEY, "", now(), "msg_2") : sign("");
    expect(await output(await send(null, empty))).toEqual({});
  });

  it("refuses what is not signed, before it is read, and tells nothing of the app", async () => {
    await signed(signature);
    const body = '{"id":"evt_1"}';
    const right = sign(body);
    const names = Object.keys(right);
    for (const missing of names) {
      const headers = Object.fromEntries(
        names.filter((name) => name !== missing).map((name) => [name, right[name] ?? ""]),
      );
      const answer = await send(body, { ...json, ...headers });
      const told = await answer.text();
      expect([answer.status, JSON.parse(told).code]).toEqual([401, "signature_mismatch"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^\w+ realm=/);
      expect(told).toContain(missing);
      expect(told).not.toMatch(/work_|hook_|whsec_/);
    }
    // Of another key, and what could not even be parsed.
    expect(await status(body, { ...json, ...sign(body, `${KEY.slice(0, -1)}A`) })).toBe(401);
    expect(await status("{", { ...json, ...right })).toBe(401);
    expect(await status("x".repeat(2_000_000), right)).toBe(413);
    expect(await runs()).toBe(0);
    expect(await status(body, { ...json, ...right })).toBe(202);
  });

  it("refuses headers that were sent twice", async () => {
    await signed(signature);
    const right = sign("{}");
    const wrong = sign("{}", `${KEY.slice(0, -1)}A`);
    for (const name of Object.keys(right)) {
      for (const other of [right[name] ?? "", wrong[name] ?? "", "x"]) {
        const twice: [string, string][] = [...Object.entries(right), [name, other]];
        expect(await status("{}", twice)).toBe(401);
        expect(await status("{}", [[name, other], ...Object.entries(right)])).toBe(401);
      }
    }
    expect(await runs()).toBe(0);
  });

  it("refuses any change of a byte of what is signed or of the signature", async () => {
    await signed(signature);
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const flip = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(bytes, flip, fc.nat(), async (body, { at, by }, which) => {
        const right = sign(body);
        const changed = Uint8Array.from(body, (byte, index) => (index === at % body.length ? byte ^ by : byte));
        expect(await status(changed, right)).toBe(401);
        expect(await status(body.slice(0, -1), right)).toBe(401);
        expect(await status(Uint8Array.from([...body, by]), right)).toBe(401);
        const names = Object.keys(right);
        const name = names[which % names.length] ?? "";
        const value = right[name] ?? "";
        const place = at % value.length;
        // Another letter that a header can hold, and none that is the same in hex.
        const letter = String.fromCharCode(33 + ((value.charCodeAt(place) - 33 + (by % 93) + 1) % 94));
        const other = value.slice(0, place) + letter + value.slice(place + 1);
        if (other.toLowerCase() === value.toLowerCase()) return;
        expect(await status(Uint8Array.from(body), { ...right, [name]: other })).toBe(401);
        expect(await status(Uint8Array.from(body), { ...right, [name]: value.slice(0, -1) })).toBe(401);
      }),
      { numRuns: 60 },
    );
    expect(await runs()).toBe(0);
  });

  it("takes the secret before for a day, or for as long as was said, and only those that come after then", async () => {
    const id = await signed(signature);
    const put = (secret: string, overlap?: number) =>
      t.stepwell.hooks.putSignature(t.app, id, {
        ...signature,
        secret,
        ...(overlap === undefined ? {} : { overlap }),
      } as SignaturePut); // of the same scheme, with what it has
    const key = (letter: string) => `whsec_${letter.repeat(32)}`;
    let sent = 0;
    const passes = async (secret: string) =>
      (await status(`{"id":"evt_${++sent}"}`, sign(`{"id":"evt_${sent}"}`, secret))) === 202;

    const { signature: shown } = await put(key("B"));
    expect(shown?.previous_until).toBe(new Date((now() + 86_400) * 1_000).toISOString());
    expect([await passes(KEY), await passes(key("B")), await passes(key("C"))]).toEqual([true, true, false]);
    await put(key("C"), 60);
    expect([await passes(KEY), await passes(key("B")), await passes(key("C"))]).toEqual([true, true, true]);
    await clock.advance(60_000);
    expect([await passes(KEY), await passes(key("B")), await passes(key("C"))]).toEqual([false, false, true]);
    expect((await t.stepwell.hooks.get(t.app, id)).signature?.previous_until).toBeNull();
    await put(key("D"));
    await put(key("E"), 0);
    expect([await passes(key("C")), await passes(key("D")), await passes(key("E"))]).toEqual([false, false, true]);
    await t.stepwell.hooks.removeSignature(t.app, id);
    expect(await status("{}", {})).toBe(202);
  });

  it("leaves out the query, which is not signed", async () => {
    await signed(signature);
    expect(await output(await send('{"a":1}', { ...json, ...sign('{"a":1}') }, { query: "?a=2&b=3" }))).toEqual({
      a: 1,
    });
  });
});

describe("a signature with a time", () => {
  it.each([
    ["standard-webhooks", (at: number) => standard(KEY, "{}", at)],
    ["stripe", (at: number) => stripe(KEY, "{}", at)],
  ] as const)("is refused five minutes later and earlier: %s", async (scheme, sign) => {
    await signed({ scheme, secret: KEY });
    for (const at of [AT - 301, AT + 301, AT + 0.5, -AT]) expect(await status("{}", sign(at))).toBe(401);
    expect(await runs()).toBe(0);
    expect(await status("{}", sign(AT - 300))).toBe(202);
    expect(await status("{}", sign(AT + 300))).toBe(202);
  });

  it("may be one of several, of which one is right", async () => {
    await signed({ scheme: "standard-webhooks", secret: KEY });
    const { "webhook-signature": right = "", ...rest } = standard(KEY, "{}", AT);
    const wrong = standard(`whsec_${"B".repeat(32)}`, "{}", AT)["webhook-signature"] ?? "";
    const asked = (signatures: string) => status("{}", { ...rest, "webhook-signature": signatures });
    expect(await asked(`${wrong} v1a,abc v2,${right.slice(3)}`)).toBe(401);
    expect(await asked(`${wrong} v1a,abc ${right} v1,`)).toBe(202);
  });

  it("of Stripe has one time, and may have several signatures", async () => {
    await signed({ scheme: "stripe", secret: KEY });
    const right = (stripe(KEY, "{}", AT)["stripe-signature"] ?? "").split(",v1=")[1] ?? "";
    const asked = (value: string) => status("{}", { "stripe-signature": value });
    expect(await asked(`t=${AT},t=${AT},v1=${right}`)).toBe(401);
    expect(await asked(`t=${AT},v0=${right}`)).toBe(401);
    expect(await asked(`v1=${right}`)).toBe(401);
    expect(await asked(`t=${AT},v0=abc,v1=${"0".repeat(64)},v1=${right}`)).toBe(202);
  });
});

describe("a delivery that is sent again", () => {
  it("starts no other run, whatever unsigned names it is given", async () => {
    await signed({ scheme: "standard-webhooks", secret: KEY });
    const first = standard(KEY, "{}", AT, "msg_a");
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send("{}", { ...first, "idempotency-key": `other-${n}` })),
    );
    expect(new Set(await Promise.all(sent.map(async (answer) => (await answer.json()).id))).size).toBe(1);
    expect(await status("{}", { ...first, "webhook-id": "msg_b" })).toBe(401);
    // By its sender, who signs it anew.
    await clock.advance("10m");
    expect(await status("{}", first)).toBe(401);
    expect(await status("{}", standard(KEY, "{}", now(), "msg_a"))).toBe(202);
    expect(await runs()).toBe(1);
    expect(await status("{}", standard(KEY, "{}", now(), "msg_b"))).toBe(202);
    expect(await runs()).toBe(2);
  });

  it("is known however its address is written", async () => {
    await signed({ scheme: "standard-webhooks", secret: KEY });
    const headers = standard(KEY, "{}", AT);
    for (const path of ["in", "in%2F", "%2Fin", "%69n"]) expect(await status("{}", headers, { path })).toBe(202);
    expect(await runs()).toBe(1);
  });

  it("is known by the event of Stripe, and where there is none by its signature", async () => {
    await signed({ scheme: "stripe", secret: KEY });
    const body = '{"id":"evt_1"}';
    const other = (n: number) => ({ ...json, "webhook-id": `unsigned-${n}`, "idempotency-key": `unsigned-${n}` });
    for (const n of [1, 2]) {
      expect(await status(body, { ...other(n), ...stripe(KEY, body, now()) })).toBe(202);
      await clock.advance(1_000);
    }
    expect(await runs()).toBe(1);
    const nameless = stripe(KEY, "{}", now());
    for (const n of [1, 2]) expect(await status("{}", { ...other(n), ...nameless })).toBe(202);
    expect(await runs()).toBe(2);
  });

  it("is not answered with the run of another to who cannot sign", async () => {
    await signed({ scheme: "github", secret: KEY });
    const named = { "x-github-delivery": "a-guid" };
    expect(await status("{}", { ...named, ...github(KEY, "{}") })).toBe(202);
    expect(await status("{}", named)).toBe(401);
    expect(await status("{}", { ...named, ...github(KEY, "{}") })).toBe(202);
    expect(await runs()).toBe(1);
  });
});

describe("a signed webhook", () => {
  it("by GET has no body, and HEAD starts nothing and needs no signature", async () => {
    await signed({ scheme: "standard-webhooks", secret: KEY }, "GET");
    expect(await status(null, {}, { method: "HEAD" })).toBe(204);
    expect(await status(null, {}, { method: "GET" })).toBe(401);
    expect(await status(null, standard(KEY, "", AT), { method: "GET", query: "?a=1" })).toBe(202);
    expect((await t.stepwell.runs.list(t.app)).items).toMatchObject([{ status: expect.any(String) }]);
  });

  it("by DELETE may have a body", async () => {
    await signed({ scheme: "github", secret: KEY }, "DELETE");
    const answer = await send('{"a":1}', { ...json, ...github(KEY, '{"a":1}') }, { method: "DELETE" });
    expect(await output(answer)).toEqual({ a: 1 });
  });

  it("is another address than the one beside it", async () => {
    const id = await signed({ scheme: "github", secret: KEY });
    const step: Step = { type: "input", key: "in", input: {}, webhook: { method: "DELETE", path: "in" } };
    const beside = await t.stepwell.workflows.create(t.app, { name: "Beside", steps: [step] });
    await t.stepwell.workflows.deploy(t.app, beside.id);
    expect(await status(null, {}, { method: "DELETE" })).toBe(202);
    expect((await t.stepwell.hooks.get(t.app, id)).workflow_id).not.toBe(beside.id);
  });

  it("may be set while it is deployed: both happen", async () => {
    const id = await signed({ scheme: "github", secret: KEY });
    const { workflow_id } = await t.stepwell.hooks.get(t.app, id);
    await Promise.all([
      ...Array.from({ length: 4 }, () => t.stepwell.workflows.deploy(t.app, workflow_id ?? "")),
      ...Array.from({ length: 4 }, () => t.stepwell.hooks.putSignature(t.app, id, { scheme: "github" })),
    ]);
    expect((await t.stepwell.workflows.get(t.app, workflow_id ?? "")).latest_version).toBe(5);
    expect(await status("{}", {})).toBe(401);
    // Of what is accepted at the same time, the first is still one.
    expect(await status("{}", github(KEY, "{}"))).toBe(202);
    await t.stepwell.hooks.putSignature(t.app, id, { scheme: "github" });
    expect(await status("{}", github(KEY, "{}"))).toBe(401);
  });
});
