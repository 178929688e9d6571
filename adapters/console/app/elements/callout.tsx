/** What a person has to know before they go on: what failed, or what is gone. */
import type { ReactNode, Ref } from "react";
import { Icon, type IconName } from "./icons.tsx";
import "./callout.css";

interface CalloutProps {
  readonly ref?: Ref<HTMLDivElement> | undefined;
  readonly icon: IconName;
  readonly title: string;
  /** All of an alert is read out, and it can get the focus. Of a status, only the title is: what it offers is no news. */
  readonly role?: "alert" | "status";
  readonly children?: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
}

export function Callout({ ref, icon, title, role, children, actions }: CalloutProps) {
  const isAlert = role === "alert";
  return (
    <div ref={ref} className="callout" role={isAlert ? role : undefined} tabIndex={isAlert ? -1 : undefined}>
      <p>
        <Icon name={icon} /> <strong role={isAlert ? undefined : role}>{title}</strong>
      </p>
      {children}
      {actions}
    </div>
  );
}
