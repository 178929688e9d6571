/** Collects the images of a document without duplicates and within the limits. Detects the type from the content. */
import { createHash } from "node:crypto";
import { fileTypeFromBuffer } from "file-type";
import type { ExtractedImage } from "../../src/ports/extractor.ts";
import { type ExtractorLimits, overLimit } from "./limits.ts";

export interface ImageList {
  /** Adds an image. Ignores other content. @throws ExtractError `too_large` */
  add(name: string, bytes: Uint8Array): Promise<void>;
  all(): readonly ExtractedImage[];
}

/** Vector formats that cannot be detected reliably from their content. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  emf: "image/emf",
  wmf: "image/wmf",
};

export function createImageList(limits: ExtractorLimits): ImageList {
  const images: ExtractedImage[] = [];
  const known = new Set<string>();
  let size = 0;
  return {
    async add(name, bytes) {
      const mime_type = await typeOf(name, bytes);
      if (mime_type === null) return;
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (known.has(hash)) return;
      known.add(hash);
      size += bytes.length;
      if (known.size > limits.images) throw overLimit("images", limits);
      if (size > limits.imageBytes) throw overLimit("imageBytes", limits);
      images.push({ name, mime_type, bytes });
    },
    all: () => images,
  };
}

async function typeOf(name: string, bytes: Uint8Array): Promise<string | null> {
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  if (found?.startsWith("image/")) return found;
  return TYPES_BY_EXTENSION[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}
