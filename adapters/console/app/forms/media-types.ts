/** Media types that a field accepts. */

/** Whether a type is one of the accepted ones. A browser may not know the type of a file: the server then looks at it. */
export function acceptsType(allowed: readonly string[] | null, type: string): boolean {
  if (allowed === null || type === "") return true;
  const [family = "", ...rest] = type.toLowerCase().split(";")[0]?.trim().split("/") ?? [];
  const whole = `${family}/${rest.join("/")}`;
  return allowed.some((one) => one === "*/*" || one === whole || one === `${family}/*`);
}
