/** A cell of a grid whose keyboard stops are its rows. */
import type { ReactNode } from "react";

interface CellProps {
  readonly role: "columnheader" | "rowheader" | "gridcell";
  /** Name of the column. */
  readonly name: string;
  /** Of what it says, for the name of its row. */
  readonly id?: string;
  readonly children: ReactNode;
}

export const Cell = ({ role, name, id, children }: CellProps) => (
  <div id={id} role={role} className={name}>
    {children}
  </div>
);
