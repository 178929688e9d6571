/**
 * JavaScript that QuickJS evaluates ahead of the user's code: gives `console`, and the functions through which the host
 * hands in the globals and reads what came of the code. Whatever the code redefines later, these keep the originals;
 * and all that leaves is text, made inside under the same limits.
 */
export const PRELUDE = `((emit) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { defineProperty, keys } = Object;
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

  // Johannes Baagøe's Alea, seeded for each call: QuickJS's own generator is part of the memory that is put back.
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

  const define = (json, ...seeds) => {
    defineProperty(Math, "random", { value: seeded(...seeds) });
    const globals = parse(json);
    for (const name of keys(globals)) {
      defineProperty(globalThis, name, { value: globals[name], writable: true, enumerable: true, configurable: true });
    }
  };

  const write = (value) => stringify(value) ?? "null";

  // Three JSON strings, a line each: text of the user never takes the form of an object that toJSON could change.
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
