/** Markdown of authors, as elements. Its parser is loaded on first use. */
import { lazy, Suspense } from "react";
import "./markdown.css";

const MarkdownElements = lazy(() => import("./markdown-elements.tsx"));

export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      <Suspense fallback={<p className="plain">{text}</p>}>
        <MarkdownElements text={text} />
      </Suspense>
    </div>
  );
}
