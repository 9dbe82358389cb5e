import type { ReactNode } from "react";

/** The layout of the mailbox pages: a link back to the shop and one column. */
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

/** A time with seconds, such as "2026-11-20 10:30:05 UTC", for comparison with logs. */
export function MailboxTime({ at }: { at: string }) {
  return (
    <time dateTime={at} className="text-13 text-quiet figures">
      {at.slice(0, 19).replace("T", " ")} UTC
    </time>
  );
}
