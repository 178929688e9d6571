/** Reads ZIP archives, the container of Office and OpenDocument files, with strict checks and limits. */
import {
  type FileEntry,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import { concatBytes } from "../../src/encoding/bytes.ts";
import { ExtractError } from "../../src/ports/extractor.ts";
import type { Extraction } from "./format-types.ts";
import { ENTRY_COST, overLimit, PART_COST } from "./limits.ts";

export interface Archive {
  /** Names of the entries in archive order. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Streams the bytes of an entry. @throws ExtractError `damaged` if there is no entry with this name. */
  read(name: string, onBytes: (bytes: Uint8Array) => void): Promise<void>;
  bytes(name: string): Promise<Uint8Array>;
  /** As {@link Budget.spend}. */
  spend(items: number): void;
}

/** Compound File Binary: the format of encrypted Office documents, and of Office formats from before 2007. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const OPTIONS = { useWebWorkers: false, useCompressionStream: true, checkSignature: true, checkOverlappingEntry: true };

/** @throws ExtractError `damaged`, `encrypted`, `too_large` */
export async function openArchive(
  bytes: Uint8Array,
  { limits, budget }: Pick<Extraction, "limits" | "budget">,
): Promise<Archive> {
  if (COMPOUND_FILE.every((byte, index) => bytes[index] === byte)) throw compoundFile(bytes);
  const entries = new Map<string, FileEntry>();
  let declared = 0;
  let unpacked = 0;
  await convertErrors(async () => {
    for await (const entry of new ZipReader(new Uint8ArrayReader(bytes), OPTIONS).getEntriesGenerator()) {
      budget.spend(ENTRY_COST);
      declared += entry.uncompressedSize;
      if (declared > limits.unpackedBytes) throw overLimit("unpackedBytes", limits);
      if (entry.encrypted) throw encrypted();
      if (!entry.directory) entries.set(entry.filename, entry);
    }
  });

  async function read(name: string, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const entry = entries.get(name);
    budget.spend(PART_COST);
    if (entry === undefined) throw new ExtractError("damaged", `it has no part ${JSON.stringify(name)}`);
    const write = (bytes: Uint8Array) => {
      unpacked += bytes.length;
      if (unpacked > limits.unpackedBytes) throw overLimit("unpackedBytes", limits);
      onBytes(bytes);
    };
    await convertErrors(() => entry.getData(new WritableStream({ write })));
  }

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read,
    spend: budget.spend,
    async bytes(name) {
      const found: Uint8Array[] = [];
      await read(name, (bytes) => found.push(bytes));
      return concatBytes(found);
    },
  };
}

/**
 * Creates an archive with only these parts, for libraries that read archives less carefully. They see nothing that was
 * not validated here.
 */
export async function repack(parts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { ...OPTIONS, level: 0 });
  for (const [name, bytes] of parts) await writer.add(name, new Uint8ArrayReader(bytes));
  return writer.close();
}

/** Converts errors of the ZIP reader to `damaged`. */
async function convertErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ExtractError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExtractError("damaged", `it is not a valid ZIP archive, which this type requires (${reason})`, { cause });
  }
}

function compoundFile(bytes: Uint8Array): ExtractError {
  const directory = new TextDecoder("utf-16le").decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (directory.includes("EncryptedPackage")) return encrypted();
  return new ExtractError("damaged", "it is in a pre-2007 Office format, which its media type does not match");
}

export function encrypted(): ExtractError {
  return new ExtractError("encrypted", "it is encrypted");
}
