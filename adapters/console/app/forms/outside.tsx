/** Dialogs of controls stand outside of the form: what has a form of its own cannot be in another one. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

export const Outside = ({ children }: { readonly children: ReactNode }) => createPortal(children, document.body);
