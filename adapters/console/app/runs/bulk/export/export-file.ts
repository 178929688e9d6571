/** The file of an export: it is saved as a whole at its end, or not at all. */
import { saveAs } from "../../../elements/save-as.ts";

export interface ExportFile {
  write(text: string): Promise<void>;
  /** Saves it. */
  close(): Promise<void>;
  discard(): Promise<void>;
}

interface PickerOptions {
  readonly suggestedName: string;
  readonly types: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[];
}

declare global {
  interface Window {
    /** Not in all browsers. */
    readonly showSaveFilePicker?: (options: PickerOptions) => Promise<FileSystemFileHandle>;
  }
}

const TYPE = "application/jsonl";
/** Characters that are joined to a part, which the browser may keep on the disk. */
const PART_CHARS = 1_000_000;

/** Call it while a click is handled. @returns Null if the person does not choose a file. */
export async function openExportFile(name: string): Promise<ExportFile | null> {
  if (window.showSaveFilePicker === undefined) return fileInParts(name);
  try {
    const handle = await window.showSaveFilePicker({
      suggestedName: name,
      types: [{ accept: { [TYPE]: [".jsonl"] } }],
    });
    return await fileAt(handle);
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : "";
    if (reason === "AbortError") return null;
    // Such as in a frame of another page.
    return fileInParts(name);
  }
}

/** Written as it comes. What was at its place stays until it is saved. */
async function fileAt(handle: FileSystemFileHandle): Promise<ExportFile> {
  const file = await handle.createWritable();
  return {
    write: (text) => file.write(text),
    close: () => file.close(),
    discard: () => file.abort(),
  };
}

function fileInParts(name: string): ExportFile {
  let parts: Blob[] = [];
  let last: string[] = [];
  let size = 0;
  const join = () => {
    parts.push(new Blob(last));
    last = [];
    size = 0;
  };
  return {
    async write(text) {
      last.push(text);
      size += text.length;
      if (size >= PART_CHARS) join();
    },
    async close() {
      join();
      saveAs(new Blob(parts, { type: TYPE }), name);
      parts = [];
    },
    async discard() {
      parts = [];
      last = [];
    },
  };
}
