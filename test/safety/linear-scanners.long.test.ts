/** Code that reads text from outside takes linear time for 16 KiB of any repetition. */
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecordQuery } from "../../src/collections/records/find/record-query.ts";
import { searchText } from "../../src/collections/records/record-rows.ts";
import { createCredentialHider } from "../../src/connections/hide-credentials.ts";
import { foldText } from "../../src/documents/pagination.ts";
import { fromBase64, toBase64 } from "../../src/encoding/base64.ts";
import { charsetOf } from "../../src/encoding/declared-encoding.ts";
import { decodeText } from "../../src/encoding/decode-text.ts";
import { headerParameters } from "../../src/encoding/header-parameters.ts";
import { readPartHeaders } from "../../src/encoding/multipart/part-headers.ts";
import { matchNames } from "../../src/encoding/multipart/part-name.ts";
import { essenceOf, isJsonType, isMediaFamily, isTextType } from "../../src/encoding/text-types.ts";
import { readJsonAnswer } from "../../src/engine/model/json-answer.ts";
import { isStepwellError } from "../../src/errors.ts";
import { fileNameIn, safeName } from "../../src/files/file-name.ts";
import { parseRanges } from "../../src/files/parse-range.ts";
import { type InputNames, readForm, readMultipartForm } from "../../src/hooks/form-payload.ts";
import { readQuery } from "../../src/http/request-path.ts";
import { parseJson } from "../../src/json.ts";
import { retryAfterMs } from "../../src/net/retry-after.ts";
import { parseWebUrl } from "../../src/net/web-url.ts";
import { FORMS, SCHEMES } from "../../src/signatures/signature-schemes.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { readMultipart } from "../../src/uploads/multipart/multipart.ts";
import { announcedLength, byteCountIn, checksumIn, metadataIn } from "../../src/uploads/resumable/tus-headers.ts";
import { languageOf } from "../../src/web-pages/language.ts";
import { markdownToHtml } from "../../src/web-pages/markdown.ts";
import { checkInput } from "../../src/workflows/input/check-input.ts";
import type { InputDefinition } from "../../src/workflows/input/input-field.ts";
import { isLinear } from "../support/cpu-time.ts";
import { FIELDS } from "../support/http/every-field.ts";
import { times } from "../support/sample.ts";

const KIBI = 1024;
const SIZE = 16 * KIBI;
const NOW = 1_800_000_000;

/** Reads a text; may reject it. */
type Scanner = (text: string) => unknown;

const bytesOf = (text: string) => new TextEncoder().encode(text);
/** A valid header value. */
const inHeader = (text: string) => text.replaceAll(/[\r\n]/g, " ");
const headers = (name: string, text: string) => new Headers({ [name]: inHeader(text) });

async function readParts(contentType: string, text: string): Promise<void> {
  const source = (async function* () {
    yield bytesOf(text);
  })();
  const { body } = await readMultipart(contentType, source);
  for await (const _ of body);
}

const signed = (header: string, text: string) => ({
  body: bytesOf(text),
  headers: new Headers({ "webhook-id": "msg_1", "webhook-timestamp": String(NOW), [header]: inHeader(text) }),
});

/** Text that a scanner may read before a repetition. */
type Case = readonly [name: string, scan: Scanner, ...prefixes: string[]];

const NO_NAMES: InputNames = { match: (given) => given, ofFiles: new Set() };

const CASES: readonly Case[] = [
  ["header parameters", headerParameters, "a;", 'a; b="', "a; b=", 'a; b="c"; '],
  ["charsets", charsetOf, "text/plain; charset=", 'text/plain; charset="'],
  ["media types", (text) => [isTextType, isJsonType, isMediaFamily].map((is) => is(essenceOf(text))), "application/"],
  [
    "names in Content-Disposition",
    fileNameIn,
    'form-data; filename="',
    "attachment; filename*=UTF-8''",
    "; filename*=",
  ],
  ["names of files", safeName],
  ["names of form fields", (text) => matchNames([text])(`${text}x`), "%0D%0a%2", "\r"],
  ["ranges", (text) => parseRanges(text, 1_000_000), "bytes=", "bytes=0-1,", "bytes=1"],
  ["queries", readQuery, "a=", "a[]="],
  ["conditions", (text) => v.safeParse(RecordQuery, { [text]: "1" }), "filter[", "filter[a:b]", "rule_result["],
  ["values of conditions", (text) => v.safeParse(RecordQuery, { "filter[a:b][in]": text }), "[", '"', "1.", "1e"],
  [
    "languages of a browser",
    (text) => languageOf(new Request("https://x.test", { headers: headers("accept-language", text) })),
    "de;q=",
    "de,",
    "de;",
    "de-",
  ],
  ["Retry-After", (text: string) => retryAfterMs(text, 0), "1", "Sun, 22 Nov 2026 "],
  ["lengths of uploads", (text) => byteCountIn(headers("Upload-Offset", text), "Upload-Offset"), "1"],
  ["announced lengths", (text) => announcedLength(headers("Upload-Length", text)), "1"],
  ["Upload-Metadata", (text) => metadataIn(headers("Upload-Metadata", text)), "filename ", "a,b ", "a YQ==,"],
  ["Upload-Checksum", (text) => checksumIn(headers("Upload-Checksum", text)), "sha1 ", "sha256 "],
  [
    "signatures of Stripe",
    (text) =>
      SCHEMES.stripe.readSigned(signed("stripe-signature", text), { scheme: "stripe", ...FORMS.stripe }, NOW * 1_000),
    `t=${NOW},`,
    `t=${NOW},v1=`,
  ],
  [
    "signatures of Standard Webhooks",
    (text) => {
      const form = { scheme: "standard-webhooks", ...FORMS["standard-webhooks"] } as const;
      return SCHEMES[form.scheme].readSigned(signed("webhook-signature", text), form, NOW * 1_000);
    },
    "v1,",
  ],
  ["heads of parts", (text) => readPartHeaders(bytesOf(text)), 'Content-Disposition: form-data; name="file"; ', "A: "],
  [
    "boundaries",
    (text) => readParts(text, "--x\r\n"),
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="',
  ],
  [
    "multipart bodies",
    (text) => readParts("multipart/form-data; boundary=--", text),
    "----\r\n",
    '----\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
  ],
  ["forms", (text) => readForm(bytesOf(text), "application/x-www-form-urlencoded", NO_NAMES), "a="],
  [
    "forms in parts",
    (text) => readMultipartForm(bytesOf(text), "multipart/form-data; boundary=a", NO_NAMES),
    "--a\r\n",
  ],
  [
    "answers of models",
    (text) => readJsonAnswer(text, null, new AbortController().signal),
    "```json\n",
    '{"a":',
    "[",
    '"',
  ],
  ["Markdown", markdownToHtml, "- ", "> ", "*a ", "[a](", "|a|\n|-|\n"],
  ["HTML", (text) => decodeText(bytesOf(text), "text/html"), "<meta ", "<meta charset=", "<!--"],
  ["XML", (text) => decodeText(bytesOf(text), "text/xml"), "<?xml ", "<?xml version='1.0' encoding="],
  [
    "text of an unknown encoding",
    (text) =>
      decodeText(
        Uint8Array.from(bytesOf(text), (byte) => byte | 0x80),
        "text/csv",
      ),
  ],
];

/** Fields of a run's input, which forms and webhooks fill in. */
const fieldCases: Case[] = Object.entries(FIELDS).flatMap(([name, field]): Case[] => {
  const definition: InputDefinition = { [name]: field };
  const scan = (text: string) => checkInput(definition, { [name]: text }, {});
  return [[`a field ${name}`, scan, "https://", "https://a/", "1", "-0.", "1e", "2027-01-31T"]];
});

/** Combining marks out of order, a character that decomposes into a mark, and one that becomes eighteen. */
const UNORDERED = ["\u0315\u0300", "a\u0315\u0300", "\uff9e", "\uff9e\u0300", "\ufdfa", "\u0344", "\u1e9b\u0323"];
const MARKED: readonly (readonly [name: string, scan: Scanner])[] = [
  ["search", foldText],
  ["records", (text) => searchText({ entity: { text, list: Array.from({ length: 50 }, () => text) } })],
  ["addresses", (text) => parseWebUrl(`https://${text}`)],
  ["addresses with a single slash", (text) => parseWebUrl(` \thttps:/\\${text}.com/x`)],
  ["addresses of which the host is escaped", (text) => parseWebUrl(`https://${encodeURIComponent(text)}`)],
  ["fields", (text) => checkInput({ url: FIELDS.url }, { url: `https://${text}` }, {})],
];
const DIGITS: readonly (readonly [begin: string, unit: string, end: string])[] = [
  ["", "1", ""],
  ["0.", "0", "1"],
  ["0.", "123456789", ""],
  ["1e", "9", ""],
  ["[", "1,", "1]"],
  ["[", "0.1e-9,", "1]"],
  ['"', "\\u0000", '"'],
  ["-", "9", ".9"],
];

const CHARACTERS = [..."\\\"' \t;,=/*[]{}()<>-+.:%&`~!?#@|^$_\r\nazAZ019éß"];
const short = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 4 });
const unit = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 4 });

/** Throws the repetition for which a scanner takes more than linear time. */
async function holds(
  scan: Scanner,
  prefixes: readonly string[],
  { numRuns = times(10, 40), harmlessMs = 20, size = SIZE } = {},
) {
  const tolerant = async (text: string) => {
    try {
      await scan(text);
    } catch (error) {
      if (!isStepwellError(error)) throw error;
    }
  };
  const isHarmless = (begin: string, unit: string, end: string) =>
    isLinear(
      size,
      (tried) => {
        const text = begin + unit.repeat(tried / unit.length) + end;
        return () => tolerant(text);
      },
      harmlessMs,
    );
  const begins = ["", ...prefixes];
  for (const begin of begins) {
    for (const character of CHARACTERS) {
      if (!(await isHarmless(begin, character, "!"))) throw new Error(JSON.stringify([begin, character]));
    }
  }
  const prefix = fc.tuple(fc.constantFrom(...begins), short).map((parts) => parts.join(""));
  await fc.assert(fc.asyncProperty(prefix, unit, short, isHarmless), { numRuns });
}

describe("16 KiB of any repetition is read in linear time", () => {
  it.for([...CASES, ...fieldCases])("in %s", async ([, scan, ...prefixes]) => {
    await expect(holds(scan, prefixes)).resolves.toBeUndefined();
  });

  it("by a scanner that a quadratic one fails", async () => {
    // Half the size takes a quarter of the time, which is still far above linear work.
    const options = { size: SIZE / 2, harmlessMs: 5 };
    await expect(holds((text) => /\s+$/.test(text), [], options)).rejects.toThrow('[""," "]');
  });
});

describe("up to 128 KiB is read in linear time", () => {
  // In quadratic time, this much takes a quarter of a second.
  const isLinearIn = (scan: Scanner, begin: string, unit: string, end = "") =>
    isLinear(128 * KIBI, (size) => {
      const text = begin + unit.repeat(size / unit.length) + end;
      return () => {
        try {
          scan(text);
        } catch (error) {
          if (!isStepwellError(error)) throw error;
        }
      };
    });

  it.each(MARKED)("as letters with combining marks in %s", async (_, scan) => {
    for (const unit of UNORDERED) expect(await isLinearIn(scan, "", unit), JSON.stringify(unit)).toBe(true);
  });

  it.each(DIGITS)("as JSON made of %j, %j and %j", async (begin, unit, end) => {
    expect(await isLinearIn(parseJson, begin, unit, end)).toBe(true);
  });

  it.each(["1", "0", "0.1", "1e9", " "])("as a number field that repeats %j", async (unit) => {
    expect(await isLinearIn((text) => checkInput({ n: { type: "number" } }, { n: text }, {}), "", unit)).toBe(true);
  });

  it.each(["QUJD", "=", "A=", " ", "é"])("as base64 that repeats %j", async (unit) => {
    const scan = (text: string) => {
      try {
        fromBase64(text);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
      }
      return toBase64(bytesOf(text));
    };
    expect(await isLinearIn(scan, "", unit)).toBe(true);
  });

  it("by the code that hides credentials", async () => {
    const hide = createCredentialHider({ password: "correct horse", token: "aaaa" });
    for (const unit of ["a", "aaaa", "correct horse", "YWFh", "ab"])
      expect(await isLinearIn(hide, "", unit)).toBe(true);
  });
});

describe("16 KiB of any repetition in a header is read in linear time", () => {
  const BASE = "https://example.com/auto";
  let service: TestService;
  const paths: Record<string, string> = {};

  beforeAll(async () => {
    service = await createTestService({ baseUrl: BASE, secret: "a".repeat(40), cors: { origins: ["https://a.test"] } });
    const { stepwell, app } = service;
    const hook = { method: "POST", path: "hook" } as const;
    const steps = [{ type: "input" as const, key: "in", input: {}, webhook: hook }];
    const { id } = await stepwell.workflows.create(app, { name: "Hook", steps });
    await stepwell.workflows.deploy(app, id);
    const link = await stepwell.files.createLink(app, await service.upload("a.txt", "text"));
    Object.assign(paths, {
      GET: new URL(link.url).href,
      HEAD: (await stepwell.files.createUpload(app)).upload_url,
      POST: `${BASE}/public/apps/hooks/${app}/hook`,
    });
  });
  afterAll(() => service.close());

  const NAMES = [
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "content-encoding",
    "content-length",
    "cookie",
  ];
  const OTHERS = ["idempotency-key", "if-modified-since", "if-none-match", "if-range", "origin", "prefer", "range"];
  const CUSTOM = ["tus-resumable", "x-http-method-override", "x-request-id"];

  it.each(["GET", "HEAD", "POST"])("in a %s request", async (method) => {
    const scan = async (text: string) => {
      const value = inHeader(text);
      const all = Object.fromEntries([...NAMES, ...OTHERS, ...CUSTOM].map((name) => [name, value]));
      all["range"] = `bytes=${value}`;
      const request = new Request(paths[method] ?? "", { method, headers: all });
      const response = await service.stepwell.fetch(request);
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    };
    // Sixteen headers, plus other work of the process: responses of upload URLs are delayed.
    await expect(holds(scan, [], { numRuns: 10, harmlessMs: 200 })).resolves.toBeUndefined();
  });
});
