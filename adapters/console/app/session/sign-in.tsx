/** The page for people without a session. */
import { useId } from "react";
import { useTexts } from "../texts/language.ts";
import type { SessionAnswer } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import "./sign-in.css";

interface SignInProps {
  /** Where the host signs people in; null for nowhere. */
  readonly signInUrl: string | null;
  /** Whether the page was opened with an address that does not sign in any more. */
  readonly isAddressUsed: boolean;
  /** Whether `stepwell dev` is the server, whose terminal opens another address. */
  readonly isDev: boolean;
  readonly onSignedIn: (answer: SessionAnswer) => void;
}

export function SignIn({ signInUrl, isAddressUsed, isDev, onSignedIn }: SignInProps) {
  const { session: texts, frame } = useTexts();
  const headingId = useId();
  return (
    <main id="content" className="sign-in" aria-labelledby={headingId}>
      <p className="product">{frame.product}</p>
      <h1 id={headingId}>{texts.title}</h1>
      {isAddressUsed ? (
        <div role="alert">
          <p>
            <strong>{texts.addressUsed}</strong>
          </p>
          <p>{isDev ? texts.newDevAddress : texts.newAddress}</p>
        </div>
      ) : null}
      <SignInForm signInUrl={signInUrl} onSignedIn={onSignedIn} />
    </main>
  );
}
