/** Buttons. */
import type { ButtonHTMLAttributes, MouseEvent } from "react";
import { Icon, type IconName } from "../icons.tsx";
import "./button.css";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** @default "plain" */
  readonly kind?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  /** Whether what it started has not ended: it keeps the focus, but cannot be pressed again. */
  readonly isBusy?: boolean;
  /** Why it cannot be pressed, shown on hover. It still takes the focus, so that everybody can learn the reason. @default it can */
  readonly refusal?: string | undefined;
  /** Whether it works while its form is locked. */
  readonly "data-unlocked"?: boolean;
  /** Name of the command of the command menu that does the same. */
  readonly "data-command"?: string;
}

/** With `aria-disabled`, a button ignores clicks, too: unlike with `disabled`, it keeps the focus. */
export function Button(props: ButtonProps) {
  const {
    kind = "plain",
    icon,
    isBusy = false,
    refusal,
    title = refusal,
    children,
    className,
    onClick,
    ...rest
  } = props;
  const isIdle = isBusy || refusal !== undefined || rest["aria-disabled"] === true;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // The Enter key in a field of its form is a click, too.
    if (isIdle) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      title={title}
      className={["button", kind, className].filter(Boolean).join(" ")}
      aria-disabled={isIdle}
      aria-busy={isBusy}
      onClick={press}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "icon" | "children"> {
  readonly icon: IconName;
  /** What it does, for people who cannot see the sign; shown on hover. */
  readonly label: string;
}

export function IconButton({ icon, label, kind = "quiet", className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      kind={kind}
      icon={icon}
      aria-label={label}
      title={label}
      className={["icon-button", className].filter(Boolean).join(" ")}
    />
  );
}
