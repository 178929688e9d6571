/** Files that are dropped anywhere on a screen, and pictures that are pasted there. */
import { useEffect, useState } from "react";
import { givenFiles } from "../forms/files/given-files.ts";

/**
 * @param onFiles Null where none may be given: the browser then neither takes them nor leaves the page to show them.
 * @returns Whether files are dragged over the page that can be dropped.
 */
export function useDroppedFiles(onFiles: ((files: readonly File[]) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const over = (event: DragEvent) => {
      const { dataTransfer } = event;
      if (dataTransfer === null || !dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      dataTransfer.dropEffect = onFiles === null ? "none" : "copy";
      setOver(onFiles !== null);
    };
    // Within the page, it goes from one element to the next.
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const { dataTransfer } = event;
      if (dataTransfer === null || !dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      onFiles?.(givenFiles(dataTransfer));
    };
    const paste = (event: ClipboardEvent) => {
      const { clipboardData, target } = event;
      if (onFiles === null || clipboardData === null || clipboardData.files.length === 0) return;
      // A copied part of a document comes with a picture of it.
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isField && clipboardData.types.includes("text/plain")) return;
      event.preventDefault();
      onFiles(givenFiles(clipboardData));
    };
    addEventListener("dragenter", over, { signal });
    addEventListener("dragover", over, { signal });
    addEventListener("dragleave", leave, { signal });
    addEventListener("drop", drop, { signal });
    addEventListener("paste", paste, { signal });
    return () => ended.abort();
  }, [onFiles]);
  return isOver;
}
