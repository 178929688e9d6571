/** PDF documents that encrypt nothing but their attachments. ISO 32000-2, 7.6.6: crypt filters. */

const ENCRYPT = "/Encrypt";
/** The filters of strings and of streams; where they are left out, both are plain. */
const CONTENT_FILTER = /\/(?:StmF|StrF)\s{0,20}\/([^\s/<>[\]()]{1,100})/g;

/** The document for a reader that asks for no password; null where more than attachments is encrypted. */
export function withoutAttachmentEncryption(bytes: Uint8Array): Uint8Array | null {
  const file = new TextDecoder("latin1").decode(bytes);
  if (!/\/EFF\s{0,20}\//.test(file)) return null;
  for (const [, filter] of file.matchAll(CONTENT_FILTER)) if (filter !== "Identity") return null;
  const open = Uint8Array.from(bytes);
  for (let at = file.indexOf(ENCRYPT); at >= 0; at = file.indexOf(ENCRYPT, at + 1)) {
    // A name of the same length that means nothing: all places in the file stay where they are.
    if (!/[A-Za-z]/.test(file.charAt(at + ENCRYPT.length))) open[at + ENCRYPT.length - 1] = "_".charCodeAt(0);
  }
  return open;
}
