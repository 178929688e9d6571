/** Multipart bodies as clients send them: each becomes one file or one clear error, for any split into chunks. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { MULTIPART_CASES } from "../support/files/multipart-cases.ts";
import { BLOCK, bytes, createService, FORM, form, post, type Service, streamOf } from "../support/files/service.ts";

/** Longer bodies are not sent byte by byte. */
const SHORT = 2_000;

let service: Service;
beforeAll(async () => {
  service = await createService();
});

/** The result of a body: the name and bytes of a file, or an error without its random parts. */
async function sent(type: string, pieces: Iterable<Uint8Array>) {
  const { upload_url, future_file_id } = await service.address();
  const before = await service.blocks();
  const response = await post(service, upload_url, streamOf(pieces), { "content-type": type });
  const { request_id: _, ...answer } = await response.json();
  if (response.status === 201) {
    const content = await service.call(`/files/${future_file_id}/content`);
    const received = new Uint8Array(await content.arrayBuffer());
    await service.files.remove(service.app.id, future_file_id);
    return { status: 201, name: answer.name, content: received };
  }
  // No bytes are left, and the upload URL accepts the next file.
  expect(await service.blocks()).toBe(before);
  expect((await post(service, upload_url, form("then again"))).status).toBe(201);
  await service.files.remove(service.app.id, future_file_id);
  return { status: response.status, answer };
}

const split = (body: Uint8Array, places: readonly number[]) =>
  [...places, body.length].map((end, index) => body.slice(places[index - 1] ?? 0, end));

describe("receiving a multipart body with", () => {
  it.each(MULTIPART_CASES.map((one) => [one.title, one] as const))("%s", async (_, { type, body, expected }) => {
    const whole = await sent(type, [body]);
    if ("message" in expected) {
      const detail = expect.stringMatching(expected.message);
      expect(whole).toMatchObject({ status: 400, answer: { code: "malformed", detail } });
    } else {
      expect(whole).toEqual({ status: 201, ...expected });
    }
    if (body.length <= SHORT)
      expect(
        await sent(
          type,
          Array.from(body, (byte) => Uint8Array.of(byte)),
        ),
      ).toEqual(whole);
    const cuts = fc.uniqueArray(fc.nat(body.length), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        expect(
          await sent(
            type,
            split(
              body,
              places.sort((a, b) => a - b),
            ),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 3 },
    );
    expect(service.errors).toEqual([]);
  });
});

describe("content that resembles the last boundary", () => {
  it.each(["\r\n--", "\r\n-", "\r\n--c", "\n--b--", "-b--"])(
    "is stored unchanged at every offset of a chunk: %j",
    async (like) => {
      for (let offset = 0; offset <= BLOCK; offset++) {
        const text = `${"x".repeat(offset)}${like}${"y".repeat(BLOCK)}`;
        const { content } = await sent(FORM, [bytes(form(text))]);
        expect(new TextDecoder().decode(content)).toBe(text);
      }
    },
  );
});
