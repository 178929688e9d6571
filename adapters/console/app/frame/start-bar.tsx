/** What is seen before it is known who is signed in: the bar as index.html has it, so that nothing moves. */
import { Loading } from "../elements/loading.tsx";
import { useTexts } from "../texts/language.ts";
import "./frame.css";

export function StartBar() {
  const { frame } = useTexts();
  return (
    <div className="frame without-app">
      <header className="top-bar">
        <span className="product">{frame.product}</span>
      </header>
      <main className="content">
        <Loading />
      </main>
    </div>
  );
}
