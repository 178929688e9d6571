/** A link within the console. */
import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { navigate, urlOf, usePlace } from "./location.ts";

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** Path below the console, with its query. */
  readonly to: string;
  /** Whether the link is marked as the current page for its own path only. @default "exact" */
  readonly current?: "exact" | "below" | "none";
}

const CURRENT = { "aria-current": "page" } as const;

export function Link({ to, current = "exact", onClick, ...rest }: LinkProps) {
  const { path } = usePlace();
  const target = to.split("?")[0] ?? to;
  const isCurrent =
    (current === "exact" && path === target) ||
    (current === "below" && (path === target || path.startsWith(`${target}/`)));
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    // The browser opens new tabs and windows itself.
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    navigate(to);
  };
  const marks = isCurrent ? CURRENT : {};
  return <a {...rest} href={urlOf(to)} onClick={follow} {...marks} />;
}
