/**
 * JavaScript that QuickJS evaluates before the user's code. It defines `console`, the globals of the platform, and the
 * functions through which the host passes globals and reads results. These functions keep the original built-ins even if the code replaces them.
 * They return only text, created inside the sandbox under the same limits.
 */
export const PRELUDE = `((emit, host, platformGlobals) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { defineProperty, getOwnPropertyDescriptor, keys } = Object;
  const { apply } = Reflect;
  const { indexOf, slice } = String.prototype;
  const BuiltinError = Error;
  const toText = String;

  const errorText = (error) => \`\${error.name}: \${error.message}\`;

  const show = (value) => {
    if (typeof value === "string") return value;
    try {
      if (value instanceof BuiltinError) return errorText(value);
      if (typeof value === "object") return stringify(value) ?? toText(value);
    } catch {}
    try {
      return toText(value);
    } catch {
      return "[object]";
    }
  };

  const attempt = (read) => {
    try {
      return \`\${read() ?? ""}\`;
    } catch {
      return "";
    }
  };

  const log = (...values) => {
    let line = "";
    for (let index = 0; index < values.length; index++) line += (index > 0 ? " " : "") + show(values[index]);
    emit(stringify(line));
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };

  // Johannes Baagøe's Alea, seeded for each call: the state of QuickJS's own generator is restored after each call.
  const UNIT = 2 ** -32;
  const FINEST = 2 ** -53;
  const seeded = (first, second, third) => {
    let one = first * UNIT;
    let two = second * UNIT;
    let three = third * UNIT;
    let carry = 1;
    const next = () => {
      const sum = 2091639 * one + carry * UNIT;
      one = two;
      two = three;
      carry = sum | 0;
      three = sum - carry;
      return three;
    };
    const random = () => next() + ((next() * 0x200000) | 0) * FINEST;
    return random;
  };

  // Defines a property that is computed when it is first read, and then is like any other.
  const defineLazily = (target, name, enumerable, compute) => {
    let found;
    const settle = (value) => {
      found = { value };
      defineProperty(target, name, { value, writable: true, enumerable, configurable: true });
    };
    defineProperty(target, name, {
      get: () => {
        if (found === undefined) {
          found = { value: compute() };
          if (getOwnPropertyDescriptor(target, name)?.configurable) settle(found.value);
        }
        return found.value;
      },
      set: settle,
      enumerable,
      configurable: true,
    });
  };

  const ask = (name, args, bytes) => parse(host(name, stringify(args), bytes));

  const factories = { __proto__: null };
  const load = (name) => (factories[name] ??= host("load", stringify([name]))(platform));
  const platform = {
    ask,
    askBytes: (name, args) => host(name, stringify(args)),
    domException: (message, name) => new (load("exception").DOMException)(message, name),
    onIdle: (turn) => host("idle", "[]", turn),
    chunk: platformGlobals.chunk,
    maxUrl: platformGlobals.maxUrl,
  };
  for (const [name, factory] of platformGlobals.factories) {
    defineLazily(globalThis, name, false, () => load(factory)[name]);
  }

  // A large global, or part of it: the host hands over what is read.
  const part = (index, path) => {
    const answer = host("global", stringify([index, path]));
    const end = apply(indexOf, answer, ["\\n"]);
    const value = parse(apply(slice, answer, [end + 1]));
    for (const key of parse(apply(slice, answer, [0, end]))) defineLazily(value, key, true, () => part(index, [...path, key]));
    return value;
  };

  const define = (json, large, ...seeds) => {
    defineProperty(Math, "random", { value: seeded(...seeds) });
    const globals = parse(json);
    for (const name of keys(globals)) {
      defineProperty(globalThis, name, { value: globals[name], writable: true, enumerable: true, configurable: true });
    }
    if (large === "") return;
    parse(large).forEach(([name, key], index) => {
      const target = key === undefined ? globalThis : globals[name];
      defineLazily(target, key ?? name, true, () => part(index, []));
    });
  };

  const write = (value) => stringify(value) ?? "null";

  // Three JSON strings, one per line. Not an object, because user code could define toJSON.
  const describe = (thrown) => {
    const isObject = typeof thrown === "object" && thrown !== null;
    const message = isObject ? attempt(() => thrown.message) : "";
    const isError = isObject && (thrown instanceof BuiltinError || message !== "");
    const name = isError ? attempt(() => thrown.name) || "Error" : "";
    const stack = isError ? attempt(() => thrown.stack) : "";
    const shown = isError ? message : show(thrown);
    return stringify(name) + "\\n" + stringify(shown) + "\\n" + stringify(stack);
  };

  return { define, write, describe };
})`;
