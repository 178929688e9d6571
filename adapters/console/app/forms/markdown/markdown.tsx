/** Markdown of authors, as elements. Its parser is loaded on first use. */
import { part } from "../../loading/part.tsx";
import "./markdown.css";

const Plain = ({ text }: { readonly text: string }) => <p className="plain">{text}</p>;

const MarkdownElements = part(() => import("./markdown-elements.tsx"), Plain);

export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      <MarkdownElements text={text} />
    </div>
  );
}
