/** A cell of a grid whose keyboard stops are its rows. */
import type { ReactNode } from "react";

interface CellProps {
  readonly role: "columnheader" | "rowheader" | "gridcell";
  /** Name of the column. */
  readonly name: string;
  readonly children: ReactNode;
}

export const Cell = ({ role, name, children }: CellProps) => (
  <div role={role} className={name}>
    {children}
  </div>
);
