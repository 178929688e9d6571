/**
 * The files of the page, as build/pack-console.ts packs them. In the package, `#console-files` stands for what this module
 * loads; sources read what `npm test` has built.
 */

export interface PackedFile {
  readonly type: string;
  readonly digest: string;
  readonly size: number;
  /** Loads the content: compressed with gzip, as base64. */
  base64(): Promise<string>;
}

export interface PackedFiles {
  readonly page: string;
  readonly files: Readonly<Record<string, PackedFile>>;
}

export async function loadBuiltFiles(): Promise<PackedFiles> {
  const { href } = new URL("../../node_modules/.cache/stepwell-console/files.js", import.meta.url);
  const packed: PackedFiles = await import(/* @vite-ignore */ href);
  return packed;
}
