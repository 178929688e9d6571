/** Descriptions: texts with `code` in them. */
import { Fragment } from "react";

export function Prose({ text, isInline = false }: { readonly text: string; readonly isInline?: boolean }) {
  const parts = text.split("`").map((part, index) => (
    // Each second part stands between backticks. The parts of a text keep their places.
    <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
  ));
  return isInline ? <bdi>{parts}</bdi> : <p dir="auto">{parts}</p>;
}
