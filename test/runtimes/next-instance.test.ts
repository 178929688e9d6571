/** nextStepwell: one instance per process, whichever copy of the module asks for it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nextStepwell } from "../../adapters/http/next.ts";

let events: string[];
beforeEach(() => {
  events = [];
  vi.spyOn(process, "once").mockReturnValue(process); // the signals are those of the test runner
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  Reflect.deleteProperty(globalThis, Symbol.for("stepwell/next"));
});

/** An instance that tells when it is created and closed, and answers with its name and the URL that it sees. */
function named(name: string) {
  events.push(`created ${name}`);
  return {
    name,
    fetch: async ({ url, method }: Request) => new Response(`${name} ${method} ${url}`),
    close: async () => void events.push(`closed ${name}`),
  };
}
const copyOf = (name: string) => nextStepwell(() => named(name));
const nameFrom = async ({ getStepwell }: ReturnType<typeof copyOf>) => (await getStepwell()).name;

describe("nextStepwell", () => {
  it("creates nothing before the first use", () => {
    copyOf("unused");
    expect(events).toEqual([]);
  });

  it("shares the instance between all copies of a module in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    const [one, two] = [copyOf("one"), copyOf("two")];
    expect(await Promise.all([one, two, one].map(nameFrom))).toEqual(["one", "one", "one"]);
    expect(events).toEqual(["created one"]);
  });

  it("keeps instances with other names apart", async () => {
    const other = nextStepwell(() => named("other"), { name: "other" });
    expect(await nameFrom(copyOf("one"))).toBe("one");
    expect(await nameFrom(other)).toBe("other");
  });

  it("replaces the instance for a newer copy during development, and closes the old one first", async () => {
    vi.stubEnv("NODE_ENV", "development");
    const old = copyOf("old");
    expect(await nameFrom(old)).toBe("old");
    const changed = copyOf("changed");
    expect(await nameFrom(old)).toBe("old");
    expect(await Promise.all([changed, old].map(nameFrom))).toEqual(["changed", "changed"]);
    expect(events).toEqual(["created old", "closed old", "created changed"]);
  });

  it("creates the instance again after it could not be created", async () => {
    const create = vi
      .fn(() => named("second"))
      .mockImplementationOnce(() => {
        throw new Error("no secret");
      });
    const { getStepwell } = nextStepwell(create);
    const both = await Promise.allSettled([getStepwell(), getStepwell()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await getStepwell()).name).toBe("second");
    expect(create).toHaveBeenCalledTimes(2);
  });

  it("refuses to open the storage during next build, and says what to do", async () => {
    vi.stubEnv("NEXT_PHASE", "phase-production-build");
    await expect(copyOf("built").getStepwell()).rejects.toThrow("call `await connection()`");
    expect(events).toEqual([]);
  });

  it("rejects what is not an instance", async () => {
    const { getStepwell } = Reflect.apply(nextStepwell, undefined, [() => ({})]);
    await expect(getStepwell()).rejects.toThrow("returns an instance from createStepwell");
  });

  it.each([
    ["ends the process", 0, [[143]]],
    ["leaves the end of the process to other handlers", 1, []],
  ])("closes the instance on SIGTERM, and %s", async (_, others, exits) => {
    const exited = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    vi.spyOn(process, "listenerCount").mockReturnValue(others);
    await copyOf("one").getStepwell();
    const [, onSigterm] = vi.mocked(process.once).mock.calls.find(([signal]) => String(signal) === "SIGTERM") ?? [];
    await Reflect.apply(onSigterm ?? (() => {}), process, []);
    expect(events).toEqual(["created one", "closed one"]);
    expect(exited.mock.calls).toEqual(exits);
  });
});

describe("the handlers of nextStepwell", () => {
  const paths = async (url: string, params: Record<string, string | string[]>, method = "GET") => {
    const { GET } = copyOf("one").handlers;
    const answer = await GET(new Request(url, { method }), { params: Promise.resolve(params) });
    return answer.text();
  };

  it.each([
    ["/automation/apps/a?take=1", { path: ["apps", "a"] }, "/apps/a?take=1"],
    ["/base/automation/apps/a/", { path: ["apps", "a"] }, "/apps/a"], // basePath and trailingSlash
    ["/automation/files/a%2Fb%20c", { path: ["files", "a/b c"] }, "/files/a%2Fb%20c"],
    ["/acme/automation/apps", { tenant: "acme", path: ["apps"] }, "/apps"],
    ["/automation", {}, "/"],
    ["/automation/", {}, "/"],
  ])("pass the path of %s below the mount path on", async (path, params, below) => {
    expect(await paths(`http://localhost${path}`, params)).toBe(`one GET http://localhost${below}`);
  });

  it("are the same for every method that the API uses", async () => {
    const { handlers } = copyOf("one");
    expect(Object.keys(handlers).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
    expect(await paths("http://localhost/a", { path: ["a"] }, "PATCH")).toBe("one PATCH http://localhost/a");
  });
});
