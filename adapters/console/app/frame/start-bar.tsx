/** What is seen before it is known who is signed in: the bar as index.html has it, so that nothing moves. */
import type { ReactNode } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Loading } from "../elements/loading.tsx";
import { checkConnection } from "../server/connection.ts";
import { useTexts } from "../texts/language.ts";
import "./frame.css";

/** @param isSilent Whether the server has not responded. */
export function StartBar({ isSilent }: { readonly isSilent: boolean }) {
  return <Bar>{isSilent ? <Silence /> : <Loading />}</Bar>;
}

function Bar({ children }: { readonly children: ReactNode }) {
  const { frame } = useTexts();
  return (
    <div className="frame without-app">
      <header className="top-bar">
        <span className="product">{frame.product}</span>
      </header>
      <main className="content">{children}</main>
    </div>
  );
}

function Silence() {
  const { session: texts, general } = useTexts();
  return (
    <>
      <div role="alert">
        <h1>{texts.silent}</h1>
        <p>{texts.silentText}</p>
      </div>
      <Button onClick={() => void checkConnection()}>{general.retry}</Button>
    </>
  );
}
