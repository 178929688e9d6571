/** The text of a file, for `extract_contents`. Specification 2.4. */
import { StepwellError } from "../errors.ts";
import type { Files } from "./files.ts";

const MEBI = 1024 * 1024;
/** As much as a step may give. */
const LIMIT = 10 * MEBI;
const TEXTUAL =
  /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|javascript|sql|toml)$|message\/rfc822$|image\/svg\+xml$)/;

/** @throws StepwellError `not_found`; `unsupported_media_type` for what is not text, or not UTF-8; `too_large`. */
export async function readText(files: Files, appId: string, fileId: string): Promise<string> {
  const { file, body } = await files.content(appId, fileId);
  const refuse = async (code: "unsupported_media_type" | "too_large", why: string) => {
    await body.cancel();
    return new StepwellError(code, `The contents of ${JSON.stringify(file.name)} cannot be read: ${why}`);
  };
  if (!TEXTUAL.test(file.mime_type)) throw await refuse("unsupported_media_type", `${file.mime_type} is not text.`);
  if (file.size > LIMIT) throw await refuse("too_large", `it has more than ${LIMIT / MEBI} MiB.`);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  try {
    return new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `The contents of ${JSON.stringify(file.name)} cannot be read: they are not UTF-8 text.`;
    throw new StepwellError("unsupported_media_type", message, { cause });
  }
}
