/** `structuredClone`: the structured clone algorithm of HTML for everything that exists in the sandbox. */
import type { Platform } from "./sandboxed.ts";

export function cloneGlobals({ domException }: Platform) {
  const ERRORS = new Map(
    [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((type) => [type.name, type]),
  );
  const NO_CLONES = [Promise, WeakMap, WeakSet, WeakRef, FinalizationRegistry, SharedArrayBuffer];

  const isDetached = (buffer: ArrayBuffer): boolean => Reflect.get(buffer, "detached") === true;
  const failed = (what: string) => domException(`${what} could not be cloned.`, "DataCloneError");

  /** Whether reading an internal slot succeeds: prototypes can be changed, and slots cannot. */
  function hasSlot(read: () => unknown): boolean {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  }

  function getter(prototype: object, name: PropertyKey): (target: object) => unknown {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    if (get === undefined) throw new TypeError(`There is no ${String(name)}.`);
    return (target) => Reflect.apply(get, target, []);
  }
  const mapSize = getter(Map.prototype, "size");
  const setSize = getter(Set.prototype, "size");
  const bufferLength = getter(ArrayBuffer.prototype, "byteLength");

  function clone(value: unknown, seen: Map<object, object>): unknown {
    if (typeof value === "symbol") throw failed(String(value));
    if (typeof value === "function") throw failed(`${value}`.slice(0, 100));
    if (typeof value !== "object" || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) return properties(value, remember(value, new Array(value.length), seen), seen);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return properties(value, remember(value, {}, seen), seen);
    return special(value, seen) ?? properties(value, remember(value, {}, seen), seen);
  }

  function remember<Copy extends object>(value: object, copy: Copy, seen: Map<object, object>): Copy {
    seen.set(value, copy);
    return copy;
  }

  function properties(value: object, copy: object, seen: Map<object, object>): object {
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(value, key)) continue; // a getter has deleted it
      const property = clone(Reflect.get(value, key), seen);
      Object.defineProperty(copy, key, { value: property, writable: true, enumerable: true, configurable: true });
    }
    return copy;
  }

  /** Returns null for an ordinary object. */
  function special(value: object, seen: Map<object, object>): object | null {
    const copy = primitive(value) ?? binary(value, seen);
    if (copy !== null) return remember(value, copy, seen);
    if (value instanceof Map && hasSlot(() => mapSize(value))) {
      const map = remember(value, new Map(), seen);
      for (const [key, item] of [...Map.prototype.entries.call(value)]) map.set(clone(key, seen), clone(item, seen));
      return map;
    }
    if (value instanceof Set && hasSlot(() => setSize(value))) {
      const set = remember(value, new Set(), seen);
      for (const item of [...Set.prototype.values.call(value)]) set.add(clone(item, seen));
      return set;
    }
    if (value instanceof Error) return error(value, seen);
    if (NO_CLONES.some((type) => value instanceof type)) throw failed("#<Object>");
    return null;
  }

  function primitive(value: object): object | null {
    if (value instanceof Date && hasSlot(() => Date.prototype.getTime.call(value))) {
      return new Date(Date.prototype.getTime.call(value));
    }
    if (value instanceof RegExp) return new RegExp(value.source, value.flags);
    if (value instanceof Boolean) return Object(Boolean.prototype.valueOf.call(value));
    if (value instanceof Number) return Object(Number.prototype.valueOf.call(value));
    if (value instanceof String) return Object(String.prototype.valueOf.call(value));
    if (value instanceof BigInt) return Object(BigInt.prototype.valueOf.call(value));
    if (value instanceof Symbol) throw failed("Object(Symbol())");
    return null;
  }

  function binary(value: object, seen: Map<object, object>): object | null {
    if (value instanceof ArrayBuffer && hasSlot(() => bufferLength(value))) {
      if (isDetached(value)) throw failed("An ArrayBuffer that is detached");
      const options =
        Reflect.get(value, "resizable") === true ? { maxByteLength: Reflect.get(value, "maxByteLength") } : {};
      const copy: ArrayBuffer = Reflect.construct(ArrayBuffer, [value.byteLength, options]);
      new Uint8Array(copy).set(new Uint8Array(value));
      return copy;
    }
    if (!ArrayBuffer.isView(value)) return null;
    const buffer = clone(value.buffer, seen);
    const name: unknown = value instanceof DataView ? "DataView" : Reflect.get(value, Symbol.toStringTag);
    const type: unknown = Reflect.get(globalThis, `${name}`);
    if (typeof type !== "function") throw failed(`${name}`);
    const length: unknown = value instanceof DataView ? value.byteLength : Reflect.get(value, "length");
    return Reflect.construct(type, [buffer, value.byteOffset, length]);
  }

  function error(value: Error, seen: Map<object, object>): Error {
    const type = ERRORS.get(`${value.name}`) ?? Error;
    const copy = remember(value, new type(), seen);
    for (const name of ["message", "stack", "cause"] as const) {
      if (!Object.hasOwn(value, name)) continue;
      const own = name === "cause" ? clone(value.cause, seen) : `${value[name]}`;
      Object.defineProperty(copy, name, { value: own, writable: true, configurable: true });
    }
    return copy;
  }

  function structuredClone(...given: [value?: unknown, options?: { transfer?: Iterable<unknown> }]): unknown {
    if (given.length === 0) throw new TypeError("Needs 1 argument.");
    const [value, options] = given;
    const transferred = new Set<ArrayBuffer>();
    for (const buffer of options?.transfer ?? []) {
      const isOnce = buffer instanceof ArrayBuffer && !isDetached(buffer) && !transferred.has(buffer);
      if (!isOnce) throw failed("A value in transfer that is not an ArrayBuffer, is detached or occurs twice");
      transferred.add(buffer);
    }
    const copy = clone(value, new Map());
    for (const buffer of transferred) Reflect.apply(Reflect.get(buffer, "transfer"), buffer, []);
    return copy;
  }

  return { structuredClone };
}
