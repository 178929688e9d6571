/** The one function through which sandboxed code asks the host: for globals, and for what the platform's globals compute. */
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { JobGlobals } from "./kept-globals.ts";
import { CHUNK, createPlatformHost } from "./platform/host.ts";
import { sourceOf } from "./platform/sources.ts";

export interface HostCalls {
  readonly handle: QuickJSHandle;
  /** Begins a call. The previous one is forgotten. */
  begin(call: HostCall): void;
  /** The function that runs the next timer, or null if the code has set none. */
  turn(): QuickJSHandle | null;
}

export interface HostCall {
  readonly globals: JobGlobals;
  /**
   * Runs what hands over data without a memory limit: with one, a text that doesn't fit would be read as empty. Checks the
   * memory afterwards. Throws if the code has to stop.
   */
  handOver<Result>(work: () => Result): Result;
  /** Allows memory for a copy of so many characters, in addition to that of the call. */
  allow(characters: number): void;
}

export function createHostCalls(context: QuickJSContext): HostCalls {
  const platform = createPlatformHost();
  let current: HostCall | null = null;
  let idle: QuickJSHandle | null = null;

  const handle = context.newFunction("host", (name, args, extra) => {
    const call = current;
    if (call === null || args === undefined) throw new TypeError("Host functions are not available here.");
    return call.handOver(() => answer(call, text(name), JSON.parse(text(args)), extra));
  });

  /** Converting any other value would run code without a limit. */
  function text(value: QuickJSHandle | undefined): string {
    if (value === undefined || context.typeof(value) !== "string") throw new TypeError("Must be a string.");
    return context.getString(value);
  }

  function answer(call: HostCall, name: string, args: unknown, extra: QuickJSHandle | undefined) {
    if (!Array.isArray(args)) throw new TypeError("The arguments must be an array.");
    if (name === "load") {
      const source = sourceOf(`${args[0]}`);
      if (source === null) throw new TypeError("Unknown platform module.");
      return context.evalCode(source, "platform.js");
    }
    if (name === "idle") {
      idle = extra?.dup() ?? null;
      return context.undefined;
    }
    if (name === "global") {
      const part = partOf(call.globals, args);
      call.allow(part.length);
      return context.newString(part);
    }
    const given = extra === undefined || context.typeof(extra) !== "object" ? undefined : bytesOf(extra);
    const found = platform.answer(name, args, given);
    return "bytes" in found
      ? context.newArrayBuffer(new Uint8Array(found.bytes).buffer)
      : context.newString(JSON.stringify(found.json));
  }

  function bytesOf(buffer: QuickJSHandle): Uint8Array {
    const found = context.getArrayBuffer(buffer);
    try {
      if (found.value.length > CHUNK) throw new RangeError("Too many bytes.");
      return found.value.slice();
    } finally {
      found.dispose();
    }
  }

  return {
    handle,
    begin(call) {
      platform.reset();
      idle = null;
      current = call;
    },
    turn: () => idle,
  };
}

/** The keys of large values in a part, and the part, as two lines of JSON. */
function partOf(globals: JobGlobals, [index, path]: readonly unknown[]): string {
  const keys = Array.isArray(path) ? path.map(String) : [];
  const part = globals.part(Number(index), keys);
  if (part === null) throw new TypeError("Unknown global.");
  return `${JSON.stringify(part.lazy)}\n${part.json}`;
}
