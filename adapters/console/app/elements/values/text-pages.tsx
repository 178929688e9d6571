/** A long text in parts, so that the browser lays out only those that are in view. */
import { useMemo } from "react";
import "./text-pages.css";

/** Characters of a part. A single node of megabytes takes seconds to lay out. */
const PAGE_CHARS = 4_096;

export function TextPages({ text }: { readonly text: string }) {
  const pages = useMemo(() => pagesOf(text), [text]);
  if (pages.length < 2) return text;
  return pages.map((page, index) => (
    <span key={index} className="text-page">
      {page}
    </span>
  ));
}

/** Ends at the ends of lines, where there are any: each part stands in lines of its own. */
export function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  let start = 0;
  while (text.length - start > PAGE_CHARS) {
    const line = text.lastIndexOf("\n", start + PAGE_CHARS);
    const hasLine = line > start;
    const end = hasLine ? line : start + PAGE_CHARS - (isHalfPair(text, start + PAGE_CHARS) ? 1 : 0);
    pages.push(text.slice(start, end));
    start = hasLine ? end + 1 : end;
  }
  pages.push(text.slice(start));
  return pages;
}

const isHalfPair = (text: string, end: number): boolean => /[\ud800-\udbff]/.test(text.charAt(end - 1));
