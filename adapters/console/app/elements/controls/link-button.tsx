/** A link to another page that looks like a button. */
import type { ReactNode } from "react";
import { Link } from "../../routing/link.tsx";
import { Icon, type IconName } from "../icons.tsx";
import "./button.css";

interface LinkButtonProps {
  /** Path below the console, with its query. */
  readonly to: string;
  /** @default "plain" */
  readonly kind?: "plain" | "primary" | "quiet";
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export function LinkButton({ to, kind = "plain", icon, children }: LinkButtonProps) {
  return (
    <Link to={to} current="none" className={`button ${kind}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </Link>
  );
}
