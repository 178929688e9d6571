/** Converts text that arrives in any encoding to UTF-8, in bounded memory. */
import { concatBytes, KIBIBYTE } from "../../encoding/bytes.ts";
import { decodeAs } from "../../encoding/decode-text.ts";
import { byteOrderMark } from "../../encoding/unicode-forms.ts";
import { StepwellError } from "../../errors.ts";

/** Bytes that decide on the encoding. */
const HEAD_BYTES = 64 * KIBIBYTE;

/**
 * The text in UTF-8, without a byte order mark. The first of these decides on its encoding: the declared charset; a byte
 * order mark; UTF-8 if the first 64 KiB are valid; windows-1252.
 * @throws StepwellError `unsupported_media_type` for an unknown charset; `malformed` for invalid bytes
 */
export async function* toUtf8(
  body: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<Uint8Array> {
  const first: Uint8Array[] = [];
  let size = 0;
  let decode: ((bytes?: Uint8Array) => Uint8Array) | undefined;
  for await (const bytes of body) {
    if (decode !== undefined) {
      yield decode(bytes);
      continue;
    }
    first.push(bytes);
    size += bytes.length;
    if (size < HEAD_BYTES) continue;
    const head = concatBytes(first);
    decode = converter(charset ?? detected(head));
    yield decode(head);
  }
  if (decode === undefined) {
    const whole = concatBytes(first);
    decode = converter(charset ?? detected(whole));
    yield decode(whole);
  }
  yield decode();
}

/** The same however the text arrives: only its first {@link HEAD_BYTES} decide, at whose end a character may be cut. */
function detected(text: Uint8Array): string {
  const isCut = text.length > HEAD_BYTES;
  const head = isCut ? text.subarray(0, HEAD_BYTES) : text;
  return byteOrderMark(head) ?? (decodeAs("utf-8", head, isCut) === null ? "windows-1252" : "utf-8");
}

function converter(label: string): (bytes?: Uint8Array) => Uint8Array {
  const decoder = decoderOf(label);
  const encoder = new TextEncoder();
  return (bytes) => {
    try {
      return encoder.encode(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
    } catch (cause) {
      const hint = "Set the charset in Content-Type, such as text/csv; charset=windows-1252.";
      throw new StepwellError("malformed", `The body is not valid ${decoder.encoding}. ${hint}`, { cause });
    }
  };
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    const message = `The charset ${JSON.stringify(label.slice(0, 40))} is not supported. Send the text in UTF-8.`;
    throw new StepwellError("unsupported_media_type", message, { cause });
  }
}
