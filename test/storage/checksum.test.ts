/** Long JSON is encoded in parts, to the same text as short JSON. */
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { PART_BYTES } from "../../src/encoding/long-text.ts";
import { createChecksumCodec } from "../../src/storage/driver/checksum.ts";

const codec = createChecksumCodec(nodeHash);

it.each([
  ["ASCII", "a".repeat(3 * PART_BYTES)],
  ["pairs of surrogates, none of which is divided", `${"😀".repeat(PART_BYTES)}`],
  ["the same, shifted by one", `x${"😀".repeat(PART_BYTES)}`],
  ["exactly one part", "é".repeat(PART_BYTES - 2)],
])("encodes %s", async (_, value) => {
  let pauses = 0;
  const json = JSON.stringify(value);
  const bytes = await codec.encodeLong(json, "\n", async () => void pauses++);
  const text = new TextDecoder().decode(bytes);
  expect(text === `\n${codec.encode(json)}`).toBe(true);
  expect(codec.decode(text.slice(1)) === value).toBe(true);
  expect(await codec.verify(bytes.subarray(1), () => null)).toBe(true);
  expect(pauses).toBeGreaterThanOrEqual(json.length / PART_BYTES);
});
