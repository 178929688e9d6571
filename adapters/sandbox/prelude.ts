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

  const define = (json) => {
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
