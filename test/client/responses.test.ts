/** Responses that Stepwell would not send: of proxies, other servers and later versions. */
import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, createClient, StepwellError } from "../../src/client/index.ts";
import { openFake } from "../support/client/mounted.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await openFake(listener);
  closing.push(close);
  return url;
}

/** The error of a call to a server with this response. */
async function errorOf(listener: RequestListener, options: Partial<ClientOptions> = {}): Promise<StepwellError> {
  const client = createClient({ url: await serve(listener), key: "secret", retries: 0, ...options });
  const error = await client.runs.get("me", "run_1").catch((reason: unknown) => reason);
  if (error instanceof StepwellError) return error;
  throw new Error("Resolves, or rejects with no StepwellError", { cause: error });
}

const respond =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": type }).end(body);

/** Sends until the client closes the connection. */
const endless =
  (status: number, type: string, start = ""): RequestListener =>
  (_, response) => {
    const piece = "x".repeat(65_536);
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(status, { "content-type": type }).write(start);
    response.on("drain", send);
    send();
  };

describe("an error of a proxy", () => {
  it("has the text of the page, without tags and in bounds", async () => {
    const style = "<style>body { color: red }</style>";
    const page = `<html><head>${style}</head><body><h1>502 Bad&nbsp;Gateway</h1>${"<p>nginx</p>".repeat(10_000)}`;
    const { code, message } = await errorOf(respond(502, "text/html", page));
    expect(code).toBe("unavailable");
    expect(message).toMatch(/^The server responded with the status 502: 502 Bad&nbsp;Gateway nginx nginx/);
    expect(message).not.toContain("color");
    expect(message.length).toBeLessThan(400);
  });

  it.each(["", " \n", "<html><body></body></html>"])("without text has a message that ends: %j", async (body) => {
    const { code, message } = await errorOf(respond(429, "text/html", body));
    expect(code).toBe("too_many_requests");
    expect(message).toBe("The server responded with the status 429, and did not say why.");
  });

  it("that never ends is not read to its end", async () => {
    expect((await errorOf(endless(502, "text/html"))).message.length).toBeLessThan(400);
    expect((await errorOf(endless(422, "application/problem+json", '{"code":"'))).code).toBe("invalid");
  });

  it("made of tags that never close is read in linear time", async () => {
    expect((await errorOf(respond(500, "text/html", "<".repeat(100_000)))).code).toBe("internal");
  });

  it.each([
    [400, "malformed"],
    [401, "unauthorized"],
    [402, "malformed"],
    [403, "forbidden"],
    [404, "not_found"],
    [451, "malformed"],
    [413, "too_large"],
    [418, "malformed"],
    [429, "too_many_requests"],
    [500, "internal"],
    [504, "unavailable"],
    [599, "internal"],
  ])("with the status %i has the code %s", async (status, code) => {
    expect((await errorOf(respond(status, "text/plain", "no"))).code).toBe(code);
  });
});

describe("problem details", () => {
  const problem = (status: number, fields: object) =>
    respond(status, "application/problem+json", JSON.stringify(fields));

  it("become the same error as in process", async () => {
    const errors = [
      { pointer: "/input/n", message: "Is required." },
      { pointer: "/take", message: "No.", in: "query" },
    ];
    const users = [{ type: "workflow", id: "work_1", name: "A" }];
    const error = await errorOf(
      problem(422, { code: "invalid", detail: "Wrong.", errors, errors_truncated: true, users }),
    );
    const { code, status, message, errors_truncated } = error;
    expect({ code, status, message, errors_truncated }).toEqual({
      code: "invalid",
      status: 422,
      message: "Wrong.",
      errors_truncated: true,
    });
    expect(error.errors).toEqual(errors);
    expect(error.users).toEqual(users);
  });

  it("with a code of a later version get a code by their status", async () => {
    const { code, message } = await errorOf(problem(409, { code: "conflict_of_the_future", detail: "Later." }));
    expect([code, message]).toEqual(["conflict", "Later."]);
  });

  it("of an internal error name the request", async () => {
    const { code, message } = await errorOf(problem(500, { code: "internal", request_id: "req_7" }));
    expect([code, message]).toEqual(["internal", expect.stringContaining("req_7")]);
  });

  it.each<[string, object]>([
    [
      "entries of wrong types",
      { code: "invalid", detail: 7, errors: [null, 7, {}, { pointer: 1, message: 2 }], users: [null] },
    ],
    ["codes that every object has", { code: "toString", errors: "no", users: {} }],
    ["a huge number of entries", { code: "invalid", errors: Array(5_000).fill({ pointer: "", message: "" }) }],
    ["long texts", { code: "invalid", detail: "x".repeat(100_000) }],
  ])("with %s are in bounds", async (_, fields) => {
    const error = await errorOf(problem(422, fields));
    expect(error.code).toBe("invalid");
    expect(error.errors.length).toBeLessThanOrEqual(100);
    expect(error.message.length).toBeLessThanOrEqual(2_000);
  });
});

describe("a success", () => {
  it.each([
    ["a page", "text/html", "<p>Log in to this network"],
    ["nothing", "application/json", ""],
    ["half of JSON", "application/json", '{"id":'],
  ])("with %s rejects with unavailable", async (_, type, body) => {
    const { code, message } = await errorOf(respond(200, type, body));
    expect([code, message]).toEqual(["unavailable", expect.stringContaining("Check the option url.")]);
  });

  it("without a list, where there must be one, rejects with unavailable", async () => {
    const client = createClient({ url: await serve(respond(200, "application/json", '{"items":[]}')) });
    await expect(client.runs.list("me")).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each(["[]", "null", "7", '{"status":7}'])(
    "with %s, where a run must be, rejects with unavailable",
    async (body) => {
      const client = createClient({ url: await serve(respond(200, "application/json", body)) });
      await expect(client.runs.wait("me", "run_1")).rejects.toMatchObject({ code: "unavailable" });
      await expect(client.jobs.wait("me", "job_1")).rejects.toMatchObject({ code: "unavailable" });
    },
  );

  it("with the page token of its own request ends a list", async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests++;
      response.writeHead(200, { "content-type": "application/json", "x-next-page-token": "same" }).end("[]");
    });
    const read = async () => {
      for await (const _ of createClient({ url }).runs.listAll("me"));
    };
    await expect(read()).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toBe(2);
  });

  it("larger than maxResponseBytes rejects with too_large, even if it never ends", async () => {
    const { code } = await errorOf(endless(200, "application/json", '"'), { maxResponseBytes: 1_000_000 });
    expect(code).toBe("too_large");
  });
});

describe("a redirect", () => {
  it("is not followed: the other server gets neither the request nor the key", async () => {
    const reached: unknown[] = [];
    const other = await serve((request, response) => {
      reached.push(request.headers);
      response.end("{}");
    });
    const { code, message } = await errorOf((_, response) => response.writeHead(307, { location: other }).end());
    expect([code, message]).toEqual(["unavailable", expect.stringContaining(other)]);
    expect(reached).toEqual([]);
  });
});

describe("the option url", () => {
  it.each(["", "example.com", "ftp://example.com", "javascript:1"])("rejects %j", (url) => {
    expect(() => createClient({ url })).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  it.each([[], [undefined], [null], [{}], [{ key: "secret" }]])("must not be missing: %j", (...given) => {
    const create: (...given: readonly unknown[]) => unknown = Object(createClient);
    const call = () => create(...given);
    const error = {
      code: "invalid",
      errors: [{ pointer: "/url", message: "Must be an http: or https: URL without query and fragment." }],
    };
    expect(call).toThrow(expect.objectContaining(error));
    // In a browser, where URLs are relative to the page.
    vi.stubGlobal("location", { href: "https://example.com/page" });
    try {
      expect(call).toThrow(expect.objectContaining(error));
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each(["", "/", "/a/b", "/a/b/"])("works with the mount path %j", async (mount) => {
    const paths: unknown[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.end("{}");
    });
    await createClient({ url: url + mount }).runs.get("me", "a/b ?ü");
    expect(paths).toEqual([`${mount.replace(/\/$/, "")}/apps/me/runs/a%2Fb%20%3F%C3%BC`]);
  });

  it.each([".", "..", ""])("an id %j, which would change the path, finds nothing", async (id) => {
    const client = createClient({ url: "http://127.0.0.1:9" });
    await expect(client.runs.get("me", id)).rejects.toMatchObject({ code: "not_found" });
  });
});
