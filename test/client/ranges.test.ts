/** Ranges of files are checked as in process. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { StepwellError } from "../../src/client/index.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

let mounted: Mounted;
let fileId: string;
let requests: string[] = [];

beforeAll(async () => {
  mounted = await openMounted();
  const body = new TextEncoder().encode("Hello");
  fileId = (await mounted.stepwell.files.create(mounted.app, { name: "a.txt", body })).id;
  mounted.intercept(({ url = "" }) => {
    requests.push(url);
    return false;
  });
});
afterAll(() => mounted.close());

interface Files {
  /** A call that the compiler does not check. */
  content(appId: string, fileId: string, range: unknown): Promise<{ body: ReadableStream<Uint8Array> }>;
}

/** The text, or the code and the first wrong field. */
async function outcome(instance: { readonly files: object }, range: unknown): Promise<unknown> {
  const files: Files = Object(instance.files);
  try {
    return await new Response((await files.content(mounted.app, fileId, range)).body).text();
  } catch (error) {
    if (!(error instanceof StepwellError)) throw error;
    return { code: error.code, pointer: error.errors[0]?.pointer };
  }
}

it.each([
  [{ start: -1, end: 2 }],
  [{ start: 1.5, end: 2 }],
  [{ start: Number.NaN, end: 2 }],
  [{ start: "1", end: 2 }],
  [{ start: 0, end: Infinity }],
  [{ start: 9 }],
  [{ end: 2 }],
  [{}],
  [{ start: 0, end: 2, step: 1 }],
  [null],
  [5],
])("%o is refused as in process, and not sent", async (range) => {
  requests = [];
  const found = await outcome(mounted.client(), range);
  expect(found).toEqual(await outcome(mounted.stepwell, range));
  expect(found).toMatchObject({ code: "invalid" });
  expect(requests).toEqual([]);
});

it.each([[{ start: 3, end: 1 }], [{ start: 9, end: 12 }], [{ start: 0, end: 6 }]])(
  "%o is outside the file as in process",
  async (range) => {
    const found = await outcome(mounted.client(), range);
    expect(found).toEqual(await outcome(mounted.stepwell, range));
    expect(found).toMatchObject({ code: "range_not_satisfiable" });
  },
);

it.each([
  [undefined, "Hello"],
  [{ start: 1, end: 3 }, "el"],
  [{ start: 5, end: 5 }, ""],
  [{ start: 0, end: 5 }, "Hello"],
])("%o is read", async (range, text) => {
  expect(await outcome(mounted.client(), range)).toBe(text);
});
