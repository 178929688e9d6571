/** The packed files of the page. */
import { expect, it } from "vitest";
import { unpack } from "../../adapters/console/unpack.ts";

it("a file that could not be loaded is loaded again, and kept from then on", async () => {
  let loads = 0;
  const base64 = async () => {
    if (++loads === 1) throw new Error("EMFILE: too many open files");
    return btoa("text");
  };
  const { files } = unpack({ page: "", files: { "a.js": { type: "text/javascript", digest: "d1", size: 4, base64 } } });
  const file = files.get("a.js");
  await expect(file?.gzip()).rejects.toThrow("EMFILE");
  for (const _ of "ab") expect(new TextDecoder().decode(await file?.gzip())).toBe("text");
  expect(loads).toBe(2);
});
