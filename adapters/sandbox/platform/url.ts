/** `URL` and `URLSearchParams`. The host parses, so that URLs mean the same in code as in all other steps. */
import type { Platform, UrlPart, UrlParts } from "./sandboxed.ts";

type Pair = [name: string, value: string];

export function urlGlobals({ ask, maxUrl }: Platform): Readonly<Record<string, unknown>> {
  let listOf: (params: URLSearchParams) => Pair[];
  /** Creates the parameters of a URL. They report each change. */
  let linked: (query: string, onChange: (query: string) => void) => URLSearchParams;

  /** As in `application/x-www-form-urlencoded`, which escapes five characters more and writes spaces as `+`. */
  const escaped = (text: string): string =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+");

  /** Returns the arguments if there are enough of them. */
  const need = (given: unknown[], needed: number): unknown[] => {
    if (given.length < needed) throw new TypeError(`Requires ${needed} ${needed === 1 ? "argument" : "arguments"}.`);
    return given;
  };
  const toText = (value: unknown): string => `${value}`.replace(/\p{Surrogate}/gu, "\ufffd");
  /** More than the maximum is invalid, so it need not cross. */
  const toUrl = (value: unknown): string => toText(value).slice(0, maxUrl + 1);

  function pairsOf(init: unknown): Pair[] {
    if (init === undefined || init === null) return [];
    if (typeof init !== "object" && typeof init !== "function") {
      const text = toText(init);
      return ask("query.parse", [text.startsWith("?") ? text.slice(1) : text]);
    }
    const iterator: unknown = Reflect.get(init, Symbol.iterator);
    if (iterator !== undefined && iterator !== null) return fromSequence(init);
    const record = new Map<string, string>();
    for (const key of Reflect.ownKeys(init)) {
      if (Object.getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
      if (typeof key === "symbol") throw new TypeError("Cannot convert a symbol to a string.");
      record.set(toText(key), toText(Reflect.get(init, key)));
    }
    return [...record];
  }

  function fromSequence(init: object): Pair[] {
    const pairs: Pair[] = [];
    for (const entry of iterableOf(init)) {
      const pair = [...iterableOf(entry)];
      if (pair.length !== 2) throw new TypeError("Each query pair must be an iterable [name, value] tuple.");
      pairs.push([toText(pair[0]), toText(pair[1])]);
    }
    return pairs;
  }

  function iterableOf(value: unknown): Iterable<unknown> {
    const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
    if (!isObject || !(Symbol.iterator in value)) {
      throw new TypeError("Each query pair must be an iterable [name, value] tuple.");
    }
    const iterable: Iterable<unknown> = { [Symbol.iterator]: () => Reflect.apply(iterate(value), value, []) };
    return iterable;
  }

  function iterate(value: object): () => Iterator<unknown> {
    const method: unknown = Reflect.get(value, Symbol.iterator);
    if (typeof method !== "function") throw new TypeError("The value is not iterable.");
    return () => Reflect.apply(method, value, []);
  }

  class URLSearchParams {
    #list: Pair[];
    #onChange: ((query: string) => void) | undefined;

    static {
      listOf = (params) => params.#list;
      linked = (query, onChange) => {
        const params = new URLSearchParams(query);
        params.#onChange = onChange;
        return params;
      };
    }

    constructor(init?: unknown) {
      this.#list = pairsOf(init);
    }

    #replace(list: Pair[]): void {
      this.#list.splice(0, this.#list.length);
      for (const pair of list) this.#list.push(pair);
      this.#changed();
    }

    #changed(): void {
      this.#onChange?.(this.toString());
    }

    get size(): number {
      return this.#list.length;
    }

    append(...given: unknown[]): void {
      const [name, value] = need(given, 2);
      this.#list.push([toText(name), toText(value)]);
      this.#changed();
    }

    delete(...given: unknown[]): void {
      const [name, value] = need(given, 1);
      const isGone = this.#matcher(name, value);
      this.#replace(this.#list.filter((pair) => !isGone(pair)));
    }

    has(...given: unknown[]): boolean {
      const [name, value] = need(given, 1);
      return this.#list.some(this.#matcher(name, value));
    }

    #matcher(name: unknown, value: unknown): (pair: Pair) => boolean {
      const wanted = toText(name);
      if (value === undefined) return ([own]) => own === wanted;
      const wantedValue = toText(value);
      return ([own, ownValue]) => own === wanted && ownValue === wantedValue;
    }

    get(...given: unknown[]): string | null {
      const [name] = need(given, 1);
      return this.#list.find(this.#matcher(name, undefined))?.[1] ?? null;
    }

    getAll(...given: unknown[]): string[] {
      const [name] = need(given, 1);
      return this.#list.filter(this.#matcher(name, undefined)).map(([, value]) => value);
    }

    set(...given: unknown[]): void {
      const [name, value] = need(given, 2);
      const wanted = toText(name);
      const text = toText(value);
      const first = this.#list.findIndex(([own]) => own === wanted);
      const rest = this.#list.filter(([own], index) => own !== wanted || index === first);
      if (first < 0) rest.push([wanted, text]);
      this.#replace(rest.map((pair, index) => (index === first ? [wanted, text] : pair)));
    }

    sort(): void {
      this.#list.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      this.#changed();
    }

    forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
      if (typeof callback !== "function") throw new TypeError("The callback must be a function.");
      for (const [name, value] of this) Reflect.apply(callback, self, [value, name, this]);
    }

    *entries(): Generator<Pair> {
      // Sees changes that are made meanwhile.
      for (let index = 0; index < this.#list.length; index++) {
        const [name = "", value = ""] = this.#list[index] ?? [];
        yield [name, value];
      }
    }

    *keys(): Generator<string> {
      for (const [name] of this.entries()) yield name;
    }

    *values(): Generator<string> {
      for (const [, value] of this.entries()) yield value;
    }

    [Symbol.iterator](): Generator<Pair> {
      return this.entries();
    }

    toString(): string {
      return this.#list.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");
    }
  }

  class URL {
    #parts: UrlParts;
    #params: URLSearchParams | undefined;

    static {
      const settable: UrlPart[] = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname"];
      for (const part of [...settable, "search", "hash"] as const) {
        Object.defineProperty(URL.prototype, part, {
          get(this: URL) {
            return this.#parts[part];
          },
          set(this: URL, value: unknown) {
            this.#set(part, toUrl(value));
          },
          enumerable: true,
          configurable: true,
        });
      }
    }

    constructor(...given: unknown[]) {
      const [url, base] = need(given, 1);
      const parts = URL.#parse(url, base);
      if (parts === null) throw new TypeError("Invalid URL");
      this.#parts = parts;
    }

    static #parse(url: unknown, base: unknown): UrlParts | null {
      const text = toUrl(url);
      return ask("url.parse", base === undefined ? [text] : [text, toUrl(base)]);
    }

    static canParse(...given: unknown[]): boolean {
      const [url, base] = need(given, 1);
      return URL.#parse(url, base) !== null;
    }

    static parse(...given: unknown[]): URL | null {
      const [url, base] = need(given, 1);
      return URL.#parse(url, base) === null ? null : new URL(url, base);
    }

    #set(part: UrlPart, value: string): void {
      const parts = ask("url.set", [this.#parts.href, part, value]);
      if (parts === null) throw new TypeError("Invalid URL");
      this.#parts = parts;
      if (this.#params === undefined || (part !== "href" && part !== "search")) return;
      const list = listOf(this.#params);
      list.splice(0, list.length);
      for (const pair of ask("query.parse", [parts.search.slice(1)])) list.push(pair);
    }

    get origin(): string {
      return this.#parts.origin;
    }

    get searchParams(): URLSearchParams {
      this.#params ??= linked(this.#parts.search, (query) => {
        const parts = ask("url.set", [this.#parts.href, "search", query]);
        if (parts !== null) this.#parts = parts;
      });
      return this.#params;
    }

    toString(): string {
      return this.#parts.href;
    }

    toJSON(): string {
      return this.#parts.href;
    }
  }

  for (const [name, type] of [["URL", URL] as const, ["URLSearchParams", URLSearchParams] as const]) {
    Object.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
  return { URL, URLSearchParams };
}
