/** The address of bytes within the page, as long as they are shown. */
import { useEffect, useState } from "react";

/** Null without bytes, and before the first effect. */
export function useBlobUrl(bytes: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const created = URL.createObjectURL(bytes);
    setUrl(created);
    return () => {
      URL.revokeObjectURL(created);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
