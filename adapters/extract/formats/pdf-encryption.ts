/** PDF documents in which only attachments are encrypted. ISO 32000-2, 7.6.6: crypt filters. */

const ENCRYPT = "/Encrypt";
/** The crypt filters of strings and streams. If omitted, both are unencrypted. */
const CONTENT_FILTER = /\/(?:StmF|StrF)\s{0,20}\/([^\s/<>[\]()]{1,100})/g;

/** Returns the document readable without a password, or null if more than attachments is encrypted. */
export function withoutAttachmentEncryption(bytes: Uint8Array): Uint8Array | null {
  const file = new TextDecoder("latin1").decode(bytes);
  if (!/\/EFF\s{0,20}\//.test(file)) return null;
  for (const [, filter] of file.matchAll(CONTENT_FILTER)) if (filter !== "Identity") return null;
  const open = Uint8Array.from(bytes);
  for (let at = file.indexOf(ENCRYPT); at >= 0; at = file.indexOf(ENCRYPT, at + 1)) {
    // Replaced by an unknown name of the same length, so that all offsets in the file stay valid.
    if (!/[A-Za-z]/.test(file.charAt(at + ENCRYPT.length))) open[at + ENCRYPT.length - 1] = "_".charCodeAt(0);
  }
  return open;
}
