/** Addresses that the guarded fetch permits, in any notation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../../src/net/guarded-fetch.ts";
import type { Exchange } from "../../src/ports/dial.ts";
import type { GuardedRequest } from "../../src/ports/fetch.ts";

/** The result for a URL whose host name resolves to `found`: the permitted addresses or the error code. */
async function outcome(url: string, found?: readonly string[], allow?: readonly string[], request?: GuardedRequest) {
  let permitted: readonly string[] = [];
  let seen: Exchange | undefined;
  const fetch = createGuardedFetch({
    ...(allow === undefined ? {} : { allow }),
    dial: async (exchange) => {
      seen = exchange;
      permitted = exchange.permitted(found ?? [exchange.url.hostname.replace(/^\[|\]$/g, "")]);
      return { status: 204, headers: new Headers(), body: new ReadableStream() };
    },
  });
  try {
    await fetch(url, request);
    return { permitted, seen };
  } catch (error) {
    return { code: (error as { code: string }).code, seen };
  }
}

const REFUSED = { code: "address_refused" };

describe("the guarded fetch with an IP address as host", () => {
  it.each([
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "012.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::8.8.8.8]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2001:0:7f00:1::]",
    "[2001:db8::1]",
    "[100::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[4000::1]",
    "[2001:10::1]",
    "[2001:2::1]",
  ])("rejects %s", async (host) => {
    expect(await outcome(`http://${host}/`)).toMatchObject(REFUSED);
  });

  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[64:ff9b::8.8.8.8]", "[2002:808:808::1]"])(
    "fetches %s",
    async (host) => {
      expect((await outcome(`http://${host}/`)).permitted).toHaveLength(1);
    },
  );

  it("rejects every address of a private range in any notation", async () => {
    const ranges: [number, number][] = [
      [0x0a000000, 8],
      [0x7f000000, 8],
      [0xa9fe0000, 16],
      [0xac100000, 12],
      [0xc0a80000, 16],
      [0x64400000, 10],
    ];
    const address = fc
      .tuple(fc.constantFrom(...ranges), fc.nat(0xffffffff))
      .map(([[network, bits], rest]) => (network + (rest % 2 ** (32 - bits))) >>> 0);
    const parts = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255);
    const hex = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;
    const spellings: ((n: number) => string)[] = [
      (n) => String(n),
      (n) => `0x${n.toString(16)}`,
      (n) => `0${n.toString(8)}`,
      (n) => parts(n).join("."),
      (n) =>
        parts(n)
          .map((part) => `0${part.toString(8)}`)
          .join("."),
      (n) =>
        parts(n)
          .map((part) => `0x${part.toString(16)}`)
          .join("."),
      (n) => `${n >>> 24}.${n & 0xffffff}`,
      (n) => `[::ffff:${hex(n)}]`,
      (n) => `[::${hex(n)}]`,
      (n) => `[64:ff9b::${hex(n)}]`,
      (n) => `[2002:${hex(n)}::1]`,
    ];
    await fc.assert(
      fc.asyncProperty(address, fc.constantFrom(...spellings), async (number, spell) => {
        expect(await outcome(`http://${spell(number)}/`)).toMatchObject(REFUSED);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the guarded fetch rejects before resolving", () => {
  it.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "javascript:alert(1)",
    "gopher://example.com/",
    "ws://example.com/",
    "blob:http://example.com/x",
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://",
    "http:///",
    "http://256.0.0.1/",
    "http://1.2.3.4.5/",
    "http://exa mple.com/",
    "http://example.com:99999/",
    "//example.com/",
    "/etc/passwd",
    "example.com",
    "",
  ])("%s", async (url) => {
    expect(await outcome(url)).toEqual({ ...REFUSED, seen: undefined });
  });

  it("a URL with a password without repeating the password", async () => {
    const fetch = createGuardedFetch({ dial: () => Promise.reject(new Error("never")) });
    await expect(fetch("http://user:secret@example.com/")).rejects.toThrow(/^(?!.*secret)/);
  });
});

describe("the guarded fetch with a host name", () => {
  it("connects only to its public addresses", async () => {
    expect((await outcome("http://a.test/", ["10.0.0.1", "8.8.8.8", "fd00::1"])).permitted).toEqual(["8.8.8.8"]);
    expect(await outcome("http://a.test/", ["10.0.0.1", "::1", "fe80::1%eth0", "", "a.test"])).toMatchObject(REFUSED);
    expect(await outcome("http://a.test/", [])).toMatchObject(REFUSED);
  });

  it("rejects a name that resolves to a private address without revealing it", async () => {
    const fetch = createGuardedFetch({ dial: async ({ permitted }) => Promise.reject(permitted(["10.1.2.3"])) });
    await expect(fetch("http://a.test/")).rejects.toThrow(/^(?!.*10\.1\.2\.3)/);
  });
});

describe("the allow list of the guarded fetch", () => {
  it.each([
    ["127.0.0.1:8080", "http://127.0.0.1:8080/", "http://127.0.0.1:8081/"],
    ["127.0.0.1", "http://127.0.0.1:9/", "http://127.0.0.2:9/"],
    ["10.0.0.0/8", "https://10.9.8.7/", "http://11.0.0.1.:1@10.0.0.1/"],
    ["10.0.0.0/8:443", "https://10.9.8.7/", "http://10.9.8.7/"],
    ["[::1]:80", "http://[::1]/", "https://[::1]/"],
    ["::1", "https://[::1]/", "https://[::2]/"],
    ["[fd00::/8]:8080", "http://[fd12::1]:8080/", "http://[fc12::1]:8080/"],
    ["fd00::/8", "http://[fd12::1]:8080/", "http://[fe80::1]:8080/"],
    ["10.0.0.0/8", "http://[::ffff:10.1.1.1]/", "http://[::ffff:127.0.0.1]/"],
  ])("%s permits %s and not %s", async (entry, inside, outside) => {
    expect((await outcome(inside, undefined, [entry])).permitted).toHaveLength(1);
    expect(await outcome(outside, undefined, [entry])).toMatchObject(REFUSED);
  });

  it.each([
    ["Intranet.local", "http://intranet.local/", "http://x.intranet.local/"],
    ["intranet.local", "http://intranet.local.:8080/", "http://intranet.locals/"],
    ["intranet.local:8080", "http://intranet.local:8080/", "http://intranet.local/"],
  ])("%s permits the name %s whatever it resolves to, and not %s", async (entry, inside, outside) => {
    expect((await outcome(inside, ["10.0.0.1"], [entry])).permitted).toEqual(["10.0.0.1"]);
    expect(await outcome(outside, ["10.0.0.1"], [entry])).toMatchObject(REFUSED);
  });

  it.each([
    "",
    "http://a.test",
    "a.test/path",
    "10.0.0.0/33",
    "a.test:0",
    "a.test:70000",
    "a b",
    "[::1",
    "*.test",
    "-a",
  ])("rejects the entry %j at construction", (entry) => {
    expect(() => createGuardedFetch({ dial: () => Promise.reject(new Error("never")), allow: [entry] })).toThrow(
      /net\.allow/,
    );
  });
});

describe("requests of the guarded fetch", () => {
  it.each(["CONNECT", "trace", "TRACK", "GET /", "", "G\r\nET"])("are rejected with the method %j", async (method) => {
    expect(await outcome("http://8.8.8.8/", undefined, [], { method })).toEqual({ code: "invalid", seen: undefined });
  });

  it.each([{ "x-a": "1\r\nx-b: 2" }, { "x a": "1" }, { "": "1" }, { "x-a": "\u{1f600}" }])(
    "are rejected with the header %j",
    async (headers) => {
      expect(await outcome("http://8.8.8.8/", undefined, [], { headers })).toEqual({
        code: "invalid",
        seen: undefined,
      });
    },
  );

  it("ignore headers that belong to the connection", async () => {
    const headers = { Host: "evil.test", "Transfer-Encoding": "chunked", "Content-Length": "9", Connection: "upgrade" };
    const { seen } = await outcome("http://8.8.8.8/", undefined, [], { method: "POST", headers, body: "ü" });
    expect(Object.fromEntries(seen?.headers ?? [])).toEqual({
      accept: "*/*",
      "accept-encoding": "gzip",
      "content-length": "2",
      "content-type": "text/plain;charset=UTF-8",
      "user-agent": "stepwell",
    });
  });
});
