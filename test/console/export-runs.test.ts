/** The parts of an export of runs that need no browser. */
import { describe, expect, it } from "vitest";
import { exportName } from "../../adapters/console/app/runs/bulk/export/export-name.ts";
import { exportRuns, isDeleted } from "../../adapters/console/app/runs/bulk/export/export-runs.ts";
import { readPatiently } from "../../adapters/console/app/runs/bulk/export/patient-read.ts";
import { StepwellError } from "../../src/client/index.ts";
import { createGate } from "../support/gate.ts";

const notFound = () => new StepwellError("not_found", "There is no such run.");
const broken = () => new StepwellError("unavailable", "No response.", { cause: new Error("reset") });

describe("an export of runs", () => {
  it("writes them in their order, of which four are read at once", async () => {
    const gates = new Map(["a", "b", "c", "d", "e", "f"].map((id) => [id, createGate()]));
    const asked: string[] = [];
    const lines: string[] = [];
    const done = exportRuns({
      ids: gates.keys(),
      async read(id) {
        asked.push(id);
        await gates.get(id)?.released;
        return { id };
      },
      write: async (line) => void lines.push(line),
      onRun: () => undefined,
      signal: new AbortController().signal,
    });
    gates.get("c")?.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, lines]).toEqual([["a", "b", "c", "d"], []]);
    gates.get("a")?.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked.length, lines]).toEqual([5, ['{"id":"a"}\n']]);
    for (const gate of gates.values()) gate.release();
    await done;
    expect(lines.join("")).toBe([...gates.keys()].map((id) => `{"id":"${id}"}\n`).join(""));
  });

  it("leaves out those that cannot be read, and ends when none can", async () => {
    const errors = new Map<string, Error>([
      ["gone", notFound()],
      ["broken", broken()],
      ["last", new StepwellError("forbidden", "No.")],
    ]);
    const said: [string, boolean | null][] = [];
    const lines: string[] = [];
    const exporting = exportRuns({
      ids: ["gone", "there", "broken", "last", "never"],
      async read(id) {
        const error = errors.get(id);
        if (error !== undefined) throw error;
        return { id };
      },
      write: async (line) => void lines.push(line),
      onRun: (id, error) => said.push([id, error === null ? null : isDeleted(error)]),
      signal: new AbortController().signal,
    });
    await expect(exporting).rejects.toMatchObject({ code: "forbidden" });
    expect(said).toEqual([
      ["gone", true],
      ["there", null],
      ["broken", false],
    ]);
    expect(lines).toEqual(['{"id":"there"}\n']);
  });

  it("writes nothing more when it is stopped", async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const exporting = exportRuns({
      ids: ["a", "b", "c", "d", "e"],
      read: async (id) => ({ id }),
      async write(line) {
        lines.push(line);
        stop.abort(new Error("stopped"));
      },
      onRun: () => undefined,
      signal: stop.signal,
    });
    await expect(exporting).rejects.toThrow("stopped");
    expect(lines).toEqual(['{"id":"a"}\n']);
  });
});

describe("a patient read", () => {
  const { signal } = new AbortController();
  const never = () => Promise.reject(new Error("It has no reason to sleep."));

  it("waits as long as the server is away", async () => {
    let away = 5;
    const read = async () => {
      if (away > 0) throw broken();
      return "read";
    };
    const connection = { check: async () => away === 0, untilReached: async () => void away--, sleep: never };
    expect(await readPatiently(read, connection, signal)).toBe("read");
  });

  it("ends when a server that is there does not answer, or refuses", async () => {
    let tries = 0;
    const fail = (error: Error) => async () => {
      tries++;
      throw error;
    };
    const connection = { check: async () => true, untilReached: async () => undefined, sleep: never };
    await expect(readPatiently(fail(broken()), connection, signal)).rejects.toMatchObject({ code: "unavailable" });
    expect(tries).toBe(3);
    await expect(readPatiently(fail(notFound()), connection, signal)).rejects.toMatchObject({ code: "not_found" });
    expect(tries).toBe(4);
  });

  it("waits when it was asked for too much, and tries again what a proxy did not pass on", async () => {
    const tooMany = (headers = {}) => new StepwellError("too_many_requests", "Later.", { headers });
    const errors = [
      ...[tooMany(), tooMany(), tooMany(), tooMany({ "retry-after": "120" }), tooMany({ "retry-after": "9999999999" })],
      new StepwellError("request_timeout", "The proxy has waited long enough."),
    ];
    const pauses: number[] = [];
    const connection = {
      check: async () => true,
      untilReached: async () => undefined,
      sleep: async (ms: number) => void pauses.push(ms),
    };
    const read = async () => {
      const error = errors.pop();
      if (error !== undefined) throw error;
      return "read";
    };
    expect(await readPatiently(read, connection, signal)).toBe("read");
    expect(pauses).toEqual([3_600_000, 120_000, 1_000, 1_000, 1_000]);
  });

  it("ends when it is stopped while the server is away", async () => {
    const stop = new AbortController();
    const connection = {
      check: async () => false,
      untilReached: async () => stop.abort(new Error("stopped")),
      sleep: never,
    };
    const reading = readPatiently(async () => Promise.reject(broken()), connection, stop.signal);
    await expect(reading).rejects.toThrow("stopped");
  });
});

it("names the file of an export in characters that every system accepts", () => {
  const now = Date.parse("2026-11-28T04:45:10.123Z");
  expect(exportName("Lending / 2", now)).toBe("Lending-2-runs-2026-11-28T04-45-10.jsonl");
  expect(exportName("قروض", now)).toBe("قروض-runs-2026-11-28T04-45-10.jsonl");
  expect(exportName("हिन्दी", now)).toBe("हिन्दी-runs-2026-11-28T04-45-10.jsonl");
  expect(exportName("../..", now)).toBe("app-runs-2026-11-28T04-45-10.jsonl");
  expect(exportName(`${"x".repeat(49)} yz`, now)).toBe(`${"x".repeat(49)}-runs-2026-11-28T04-45-10.jsonl`);
  expect(exportName("𠀀".repeat(99), now)).toBe(`${"𠀀".repeat(50)}-runs-2026-11-28T04-45-10.jsonl`);
});
