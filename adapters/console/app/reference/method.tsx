/** The method of an operation. */
export function Method({ method }: { readonly method: string }) {
  return <span className={`method ${method.toLowerCase()}`}>{method}</span>;
}
