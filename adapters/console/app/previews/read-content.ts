/** The bytes of a file. */
import { readBytes } from "../../../../src/encoding/bytes.ts";
import { client } from "../server/client.ts";

/** @param end Number of bytes. @default all */
export async function readContent(
  appId: string,
  fileId: string,
  signal: AbortSignal,
  end?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await client
    .with({ signal })
    .files.content(appId, fileId, end === undefined ? undefined : { start: 0, end });
  return readBytes(body);
}
