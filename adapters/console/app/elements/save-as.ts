/** Lets the browser save a file. */

/** Long enough for the browser to begin the download. */
const KEPT_MS = 60_000;

export function saveAs(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

export const saveText = (text: string, name: string, type: string): void => saveAs(new Blob([text], { type }), name);
