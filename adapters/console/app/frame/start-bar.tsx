/** What is seen before it is known who is signed in: the bar as index.html has it, so that nothing moves. */
import type { ReactNode } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Loading } from "../elements/loading.tsx";
import { checkConnection } from "../server/connection.ts";
import { SessionUnavailable } from "../session/session.ts";
import { useTexts } from "../texts/language.ts";
import "./frame.css";

/** @param failure Why it is not known yet; null while the first answer is awaited. */
export function StartBar({ failure }: { readonly failure: unknown }) {
  return <Bar>{failure === null ? <Loading /> : <Failure failure={failure} />}</Bar>;
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

function Failure({ failure }: { readonly failure: unknown }) {
  const { session: texts, general } = useTexts();
  const sentence = failure instanceof SessionUnavailable ? failure.sentence : null;
  return (
    <>
      <div role="alert">
        <h1>{sentence === null ? texts.silent : texts.unknown}</h1>
        <p>{sentence === null ? texts.silentText : `${sentence} ${texts.triesAgain}`}</p>
      </div>
      <Button onClick={() => void checkConnection()}>{general.retry}</Button>
    </>
  );
}
