/** Whether an element is on the screen. */
import { type RefObject, useEffect, useRef, useState } from "react";

export function useSeen<Shown extends Element>(): {
  readonly ref: RefObject<Shown | null>;
  readonly isSeen: boolean;
} {
  const ref = useRef<Shown>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting === true));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, isSeen };
}
