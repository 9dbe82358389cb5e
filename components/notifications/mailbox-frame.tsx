import type { ReactNode } from "react";

/** The page around the mailbox: a way back to the shop, and one column. */
export function MailboxFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="measure flex items-center justify-between gap-4 border-b border-hairline py-3">
        <a href="/dev/mailbox" className="hit inline-flex items-center text-17 font-semibold">
          Local mailbox
        </a>
        <a
          href="/"
          className="hit inline-flex items-center justify-end text-quiet underline-offset-2 hover:underline"
        >
          To the shop
        </a>
      </header>
      <main className="measure pt-8 pb-16">{children}</main>
    </>
  );
}

/** "2026-11-20 10:30:05 UTC": to the second, because tools are read beside logs. */
export function MailboxTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="text-13 text-quiet figures">
      {at.slice(0, 19).replace("T", " ")} UTC
    </time>
  );
}
