/** What stands in place of a list without entries: what it is for, and how to fill it. */
import type { ReactNode } from "react";
import "./empty-state.css";

export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}
