import { useRef } from "react";

/** A function that stays the same, and does what its newest form does. */
export function useStable<Given extends readonly unknown[], Result>(call: (...given: Given) => Result) {
  const newest = useRef(call);
  newest.current = call;
  return useRef((...given: Given): Result => Reflect.apply(newest.current, undefined, given)).current;
}
