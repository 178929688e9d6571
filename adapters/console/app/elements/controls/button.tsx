/** Buttons. */
import type { ButtonHTMLAttributes } from "react";
import { Icon, type IconName } from "../icons.tsx";
import "./button.css";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** @default "plain" */
  readonly kind?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  /** Whether what it started has not ended: it cannot be pressed again. */
  readonly isBusy?: boolean;
}

export function Button({ kind = "plain", icon, isBusy = false, children, className, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={["button", kind, className].filter(Boolean).join(" ")}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
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
