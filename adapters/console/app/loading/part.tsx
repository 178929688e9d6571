/** Components that are files of their own, and are loaded when they are first shown. */
import { type ComponentType, useEffect, useRef, useState } from "react";
import { Loading } from "../elements/loading.tsx";
import { usePlace } from "../routing/location.ts";
import { lostSince, onConnection } from "../server/connection.ts";
import { ChunkError } from "./load-chunk.ts";
import { PartProblem } from "./part-problem.tsx";

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/**
 * Like `lazy` of React, which never loads again what could not be loaded once. What cannot be loaded says so in its own
 * place, and is loaded when the server can be reached again.
 * @param Substitute Shown until it is loaded, also if it cannot be. @default a sign that it is loading, or the problem
 */
export function part<Props extends object>(load: Load<Props>, Substitute?: ComponentType<Props>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  return function Part(props: Props) {
    const [, setLoaded] = useState(Loaded !== null);
    const [error, setError] = useState<unknown>(null);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      // Another place that shows the same part may have loaded it since this one was drawn.
      setLoaded(Loaded !== null);
      if (Loaded !== null) return undefined;
      let isCurrent = true;
      void load().then(
        (module) => {
          Loaded = module.default;
          if (isCurrent) setLoaded(true);
        },
        (reason: unknown) => {
          if (isCurrent) setError(reason);
        },
      );
      return () => {
        isCurrent = false;
      };
    }, [attempt]);
    // Following the link that led here once more is another try.
    const place = usePlace();
    const failedAt = useRef(place);
    useEffect(() => {
      if (error !== null && failedAt.current !== place) again();
      failedAt.current = place;
    }, [place, error]);
    useEffect(() => {
      if (!(error instanceof ChunkError) || error.reason !== "unreachable") return undefined;
      return onConnection(() => {
        if (lostSince() === null) again();
      });
    }, [error]);
    const again = () => {
      setError(null);
      setAttempt((before) => before + 1);
    };
    if (Loaded !== null) return <Loaded {...props} />;
    if (Substitute !== undefined) return <Substitute {...props} />;
    return error === null ? <Loading /> : <PartProblem error={error} onRetry={again} />;
  };
}
