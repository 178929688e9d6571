/** Offers a text as a file. */

export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the address by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** A name for a file, from the name of a workflow. */
export const fileNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "workflow";
