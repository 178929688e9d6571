/** One finding of `stepwell doctor`. */
export interface Check {
  readonly name: string;
  /** `skipped`: there is nothing to check here. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

export const ok = (name: string, message: string): Check => ({ name, status: "ok", message });
export const skipped = (name: string, message: string): Check => ({ name, status: "skipped", message });
export const warning = (name: string, message: string, hint: string): Check => ({
  name,
  status: "warning",
  message,
  hint,
});
export const failed = (name: string, message: string, hint: string): Check => ({
  name,
  status: "failed",
  message,
  hint,
});

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
