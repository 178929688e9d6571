/** Requests to a signed webhook: published examples, tampered, late, repeated, and signed with an earlier secret. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import type { SignaturePut, Step } from "../../src/index.ts";
import { FORMS } from "../../src/signatures/signature-schemes.ts";
import { verifySignature } from "../../src/signatures/verify-signature.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { github, type Headers, shopify, slack, standard, stripe, svix } from "../support/http/signing.ts";

const SECRET = "a-secret-of-the-tests-with-32-characters-or-more";
/** The timestamp of the example that the Standard Webhooks libraries test with. */
const AT = 1_614_265_330;

let clock: TestClock;
let service: TestService;
beforeEach(async () => {
  clock = createTestClock(new Date(AT * 1_000).toISOString());
  service = await createTestService({ secret: SECRET, clock });
});
afterEach(() => service.close());

const now = () => clock.now() / 1_000;

/** Deploys a webhook that requires this signature; returns its id. */
async function deploySigned(signature: SignaturePut, method: "GET" | "POST" | "DELETE" = "POST"): Promise<string> {
  const step: Step = { type: "input", key: "in", input: {}, webhook: { method, path: "in" } };
  const { id } = await service.stepwell.workflows.create(service.app, { name: "Signed", steps: [step] });
  await service.stepwell.workflows.deploy(service.app, id);
  const [hook] = (await service.stepwell.hooks.list(service.app)).items;
  if (hook === undefined) throw new Error("the webhook is not listed");
  await service.stepwell.hooks.putSignature(service.app, hook.id, signature);
  return hook.id;
}

type Body = string | Uint8Array<ArrayBuffer>;
type Sent = [string, string][] | Headers;

function send(body: Body | null, headers: Sent, { method = "POST", path = "in", query = "" } = {}): Promise<Response> {
  const request = new Request(`http://localhost:3000/public/apps/hooks/${service.app}/${path}${query}`, {
    method,
    body,
    headers: new Headers(headers),
  });
  return service.stepwell.fetch(request);
}
const json = { "content-type": "application/json" };
const status = async (...given: Parameters<typeof send>) => (await send(...given)).status;
const runs = async () => (await service.stepwell.runs.list(service.app)).total;
const output = async (response: Response) => {
  const { id } = await response.json();
  return (await service.stepwell.runs.wait(service.app, id)).output;
};

describe("a signed webhook", () => {
  it("accepts the published example of Standard Webhooks", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" });
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
  ])("accepts GitHub's published example as $scheme", async (signature) => {
    await deploySigned(signature);
    const mac = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "content-type": "text/plain", "x-hub-signature-256": `sha256=${mac}` };
    expect(await output(await send("Hello, World!", headers))).toEqual({ body: "Hello, World!" });
  });
});

it("verifies Slack's published example", async () => {
  const body =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
    "&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com" +
    "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121" +
    ".803a0bc887a14d10d2c447fce8b6703c";
  const signature = "a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
  const headers = new Headers({
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": `v0=${signature}`,
  });
  const request = { headers, body: new TextEncoder().encode(body) };
  const form = { scheme: "slack", ...FORMS.slack } as const;
  const at = { now: 1_531_420_618_000, hash: nodeHash };
  expect(await verifySignature(request, form, "8f742231b10e8888abcd99yyyzzz85a5", at)).toBe(signature);
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
  { signature: { scheme: "slack", secret: KEY }, sign: (body, secret = KEY) => slack(secret, body, now()) },
  {
    signature: { scheme: "hmac-sha256", secret: KEY, header: "X-Shopify-Hmac-SHA256", encoding: "base64" },
    sign: (body, secret = KEY) => shopify(secret, body),
  },
];

describe.each(CASES)("a webhook signed by $signature.scheme", ({ signature, sign }) => {
  it("verifies the raw bytes, including those of a binary body and of an empty one", async () => {
    await deploySigned(signature);
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

  it("returns 401 to an unsigned request before parsing it, and reveals nothing about the app", async () => {
    await deploySigned(signature);
    const body = '{"id":"evt_1"}';
    const right = sign(body);
    const names = Object.keys(right);
    for (const missing of names) {
      const headers = Object.fromEntries(
        names.filter((name) => name !== missing).map((name) => [name, right[name] ?? ""]),
      );
      const answer = await send(body, { ...json, ...headers });
      const text = await answer.text();
      expect([answer.status, JSON.parse(text).code]).toEqual([401, "signature_mismatch"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^\w+ realm=/);
      expect(text).toContain(missing);
      expect(text).not.toMatch(/work_|hook_|whsec_/);
    }
    // Signed with another key; not even parseable; too large.
    expect(await status(body, { ...json, ...sign(body, `${KEY.slice(0, -1)}A`) })).toBe(401);
    expect(await status("{", { ...json, ...right })).toBe(401);
    expect(await status("x".repeat(2_000_000), right)).toBe(413);
    expect(await runs()).toBe(0);
    expect(await status(body, { ...json, ...right })).toBe(202);
  });

  it("returns 401 when a signature header is sent twice", async () => {
    await deploySigned(signature);
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

  it("returns 401 when any byte of the signed content or of the signature changes", async () => {
    await deploySigned(signature);
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
        // Another letter that a header can hold. The same letter in another case would be equal in hex.
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

  it("accepts the previous secret for a day or for the given overlap, and not after that", async () => {
    const id = await deploySigned(signature);
    const put = (secret: string, overlap?: number) =>
      service.stepwell.hooks.putSignature(service.app, id, {
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
    expect((await service.stepwell.hooks.get(service.app, id)).signature?.previous_until).toBeNull();
    await put(key("D"));
    await put(key("E"), 0);
    expect([await passes(key("C")), await passes(key("D")), await passes(key("E"))]).toEqual([false, false, true]);
    await service.stepwell.hooks.removeSignature(service.app, id);
    expect(await status("{}", {})).toBe(202);
  });

  it("ignores query parameters, which the signature doesn't cover", async () => {
    await deploySigned(signature);
    expect(await output(await send('{"a":1}', { ...json, ...sign('{"a":1}') }, { query: "?a=2&b=3" }))).toEqual({
      a: 1,
    });
  });
});

describe("a signature with a timestamp", () => {
  it.each([
    ["standard-webhooks", (at: number) => standard(KEY, "{}", at)],
    ["standard-webhooks", (at: number) => svix(KEY, "{}", at)],
    ["stripe", (at: number) => stripe(KEY, "{}", at)],
    ["slack", (at: number) => slack(KEY, "{}", at)],
  ] as const)("is refused more than five minutes before or after its time: %s", async (scheme, sign) => {
    await deploySigned({ scheme, secret: KEY });
    for (const at of [AT - 301, AT + 301, AT + 0.5, -AT]) expect(await status("{}", sign(at))).toBe(401);
    expect(await runs()).toBe(0);
    expect(await status("{}", sign(AT - 300))).toBe(202);
    expect(await status("{}", sign(AT + 300))).toBe(202);
  });

  it("is accepted among several if one of them is right", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: KEY });
    const { "webhook-signature": right = "", ...rest } = standard(KEY, "{}", AT);
    const wrong = standard(`whsec_${"B".repeat(32)}`, "{}", AT)["webhook-signature"] ?? "";
    const statusFor = (signatures: string) => status("{}", { ...rest, "webhook-signature": signatures });
    expect(await statusFor(`${wrong} v1a,abc v2,${right.slice(3)}`)).toBe(401);
    expect(await statusFor(`${wrong} v1a,abc ${right} v1,`)).toBe(202);
  });

  it("in Stripe's header needs exactly one timestamp and may have several signatures", async () => {
    await deploySigned({ scheme: "stripe", secret: KEY });
    const right = (stripe(KEY, "{}", AT)["stripe-signature"] ?? "").split(",v1=")[1] ?? "";
    const statusFor = (value: string) => status("{}", { "stripe-signature": value });
    expect(await statusFor(`t=${AT},t=${AT},v1=${right}`)).toBe(401);
    expect(await statusFor(`t=${AT},v0=${right}`)).toBe(401);
    expect(await statusFor(`v1=${right}`)).toBe(401);
    expect(await statusFor(`t=${AT},v0=abc,v1=${"0".repeat(64)},v1=${right}`)).toBe(202);
  });
});

describe("a repeated request to a signed webhook", () => {
  it("starts no second run, whatever idempotency keys are sent unsigned", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: KEY });
    const first = standard(KEY, "{}", AT, "msg_a");
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send("{}", { ...first, "idempotency-key": `other-${n}` })),
    );
    expect(new Set(await Promise.all(sent.map(async (answer) => (await answer.json()).id))).size).toBe(1);
    expect(await status("{}", { ...first, "webhook-id": "msg_b" })).toBe(401);
    // A retry by the sender, who signs it again.
    await clock.advance("10m");
    expect(await status("{}", first)).toBe(401);
    expect(await status("{}", standard(KEY, "{}", now(), "msg_a"))).toBe(202);
    expect(await runs()).toBe(1);
    expect(await status("{}", standard(KEY, "{}", now(), "msg_b"))).toBe(202);
    expect(await runs()).toBe(2);
  });

  it("is recognized in every percent-encoding of the path", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: KEY });
    const headers = standard(KEY, "{}", AT);
    for (const path of ["in", "in%2F", "%2Fin", "%69n"]) expect(await status("{}", headers, { path })).toBe(202);
    expect(await runs()).toBe(1);
  });

  it("is recognized by Stripe's event id, or by the signature if the event has no id", async () => {
    await deploySigned({ scheme: "stripe", secret: KEY });
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

  it.each([
    ["stripe", '{"id":"evt_1"}', stripe],
    ["slack", '{"event_id":"Ev1"}', slack],
  ] as const)("of %s is recognized in every Content-Type, which no signature covers", async (scheme, body, sign) => {
    await deploySigned({ scheme, secret: KEY });
    const headers = sign(KEY, body, now());
    for (const type of [
      "application/json",
      "text/plain",
      "application/octet-stream",
      "application/x-www-form-urlencoded",
    ]) {
      expect(await status(body, { ...headers, "content-type": type })).toBe(202);
    }
    expect(await runs()).toBe(1);
  });

  it("is recognized by its signature if its id is empty or not in JSON", async () => {
    await deploySigned({ scheme: "slack", secret: KEY });
    for (const body of ['{"event_id":"","n":1}', '{"event_id":"","n":2}', "event_id=Ev1&a=1", "event_id=Ev1&a=2"]) {
      for (const _ of [1, 2]) expect(await status(body, slack(KEY, body, now()))).toBe(202);
    }
    expect(await runs()).toBe(4);
  });

  it("is recognized by Slack's event id", async () => {
    await deploySigned({ scheme: "slack", secret: KEY });
    const body = '{"event_id":"Ev1","type":"event_callback"}';
    for (const n of [1, 2]) {
      expect(await status(body, { ...json, "webhook-id": `unsigned-${n}`, ...slack(KEY, body, now()) })).toBe(202);
      await clock.advance(1_000);
    }
    expect(await runs()).toBe(1);
  });

  it("is recognized by Svix's id, which a header of Standard Webhooks doesn't replace", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: KEY });
    for (const n of [1, 2]) {
      expect(await status("{}", { "webhook-id": `unsigned-${n}`, ...svix(KEY, "{}", now(), "msg_a") })).toBe(202);
    }
    expect(await runs()).toBe(1);
    expect(await status("{}", { ...svix(KEY, "{}", now()), "webhook-signature": "v1,abc" })).toBe(401);
  });

  it("without a signature returns 401, not the run of the request with the same id", async () => {
    await deploySigned({ scheme: "github", secret: KEY });
    const named = { "x-github-delivery": "a-guid" };
    expect(await status("{}", { ...named, ...github(KEY, "{}") })).toBe(202);
    expect(await status("{}", named)).toBe(401);
    expect(await status("{}", { ...named, ...github(KEY, "{}") })).toBe(202);
    expect(await runs()).toBe(1);
  });
});

describe("a signed webhook", () => {
  it("by GET has no body; HEAD needs no signature and starts no run", async () => {
    await deploySigned({ scheme: "standard-webhooks", secret: KEY }, "GET");
    expect(await status(null, {}, { method: "HEAD" })).toBe(204);
    expect(await status(null, {}, { method: "GET" })).toBe(401);
    expect(await status(null, standard(KEY, "", AT), { method: "GET", query: "?a=1" })).toBe(202);
    expect((await service.stepwell.runs.list(service.app)).items).toMatchObject([{ status: expect.any(String) }]);
  });

  it("by DELETE accepts a body", async () => {
    await deploySigned({ scheme: "github", secret: KEY }, "DELETE");
    const answer = await send('{"a":1}', { ...json, ...github(KEY, '{"a":1}') }, { method: "DELETE" });
    expect(await output(answer)).toEqual({ a: 1 });
  });

  it("leaves the webhook of another method at the same path unsigned", async () => {
    const id = await deploySigned({ scheme: "github", secret: KEY });
    const step: Step = { type: "input", key: "in", input: {}, webhook: { method: "DELETE", path: "in" } };
    const beside = await service.stepwell.workflows.create(service.app, { name: "Beside", steps: [step] });
    await service.stepwell.workflows.deploy(service.app, beside.id);
    expect(await status(null, {}, { method: "DELETE" })).toBe(202);
    expect((await service.stepwell.hooks.get(service.app, id)).workflow_id).not.toBe(beside.id);
  });

  it("applies a new signature and a new version that are set at the same time", async () => {
    const id = await deploySigned({ scheme: "github", secret: KEY });
    const { workflow_id } = await service.stepwell.hooks.get(service.app, id);
    await Promise.all([
      ...Array.from({ length: 4 }, () => service.stepwell.workflows.deploy(service.app, workflow_id ?? "")),
      ...Array.from({ length: 4 }, () => service.stepwell.hooks.putSignature(service.app, id, { scheme: "github" })),
    ]);
    expect((await service.stepwell.workflows.get(service.app, workflow_id ?? "")).latest_version).toBe(5);
    expect(await status("{}", {})).toBe(401);
    // The secrets replaced a moment ago are still accepted, so the first one is.
    expect(await status("{}", github(KEY, "{}"))).toBe(202);
    await service.stepwell.hooks.putSignature(service.app, id, { scheme: "github" });
    expect(await status("{}", github(KEY, "{}"))).toBe(401);
  });
});
