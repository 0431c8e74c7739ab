import type { Metadata } from "next";
import { Page } from "#components/shop/site/page.tsx";
import { PageHeader } from "#components/shop/site/page-header.tsx";
import { Link } from "#components/ui/link.tsx";
import { localChannel } from "#lib/shop/server/local-channel.ts";
import styles from "./about.module.css";

export const metadata: Metadata = {
  title: "About this demonstration",
  description:
    "Tarn & Tread is invented. It shows a chat that a shop puts on its own site with the Chat API.",
  alternates: { canonical: "/about" },
};

export default function AboutPage() {
  const channel = localChannel();
  return (
    <Page>
      <PageHeader title="About this demonstration" trail={[{ href: "/", label: "Home" }]}>
        <p>Tarn &amp; Tread does not exist. The chat in the corner does.</p>
      </PageHeader>
      <div className={styles["text"]}>
        <p>
          This is a reference for developers who put the Chat API’s agent on their own site: the server that
          holds the chat key, the chat that their customers see, and a shop around both, so that every feature
          has a place to happen. Nothing can be bought here, no parcel will come, and the customers,
          telephones and addresses are made up.
        </p>
        <h2>Where to begin</h2>
        <ul>
          <li>
            <Link href="/try">Try the chat</Link>: sentences for every feature, ready to send.
          </li>
          <li>
            <Link href="/playground">Chat playground</Link>: choose where the chat sits, and copy the code.
          </li>
          <li>
            <Link href="/account">Sign in</Link> as one of four customers, and ask about your orders.
          </li>
          <li>
            <Link href="/help">Read the help centre</Link>: it is what the agent answers from, and its sources
            lead there.
          </li>
        </ul>
        <h2>For developers</h2>
        <ul>
          <li>
            <code>docs/integrate.md</code> in the repository adds the chat to a shop, step by step;{" "}
            <code>README.md</code> lists the other documents.
          </li>
          {channel !== null && (
            <>
              <li>
                <a href={`${channel}/docs`}>The Chat API’s page</a>: every operation, with examples that run.
              </li>
              <li>
                <a href={`${channel}/console`}>The team’s inbox</a>: answer the chats that were passed to the
                team. The command that started the shop has printed its address with a token.
              </li>
            </>
          )}
        </ul>
        <h2>What stays</h2>
        <p>
          Chats are kept where the Chat API runs; with the built-in one that is this machine. One cookie keeps
          your session, and another your choice of light or dark, if you make one.
        </p>
      </div>
    </Page>
  );
}
