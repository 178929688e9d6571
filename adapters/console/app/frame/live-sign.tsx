/** Whether what the page shows is up to date. */
import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

export function LiveSign() {
  const { frame } = useTexts();
  const format = useFormat();
  const [offlineSince, setOffline] = useState<string | null>(navigator.onLine ? null : new Date().toISOString());
  useIsFetching();
  useEffect(() => {
    const lose = () => setOffline(new Date().toISOString());
    const find = () => setOffline(null);
    addEventListener("offline", lose);
    addEventListener("online", find);
    return () => {
      removeEventListener("offline", lose);
      removeEventListener("online", find);
    };
  }, []);
  return (
    <span className={offlineSince === null ? "live-sign" : "live-sign offline"} role="status">
      {offlineSince === null ? frame.liveEvery(5) : frame.offlineSince(format.timeOfDay(offlineSince))}
    </span>
  );
}
